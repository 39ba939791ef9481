"""Outcomes of tests written in Tale.

- `outcomes`: what the formats are made from
- `outcomes_as_human`, `outcomes_as_json`, `outcomes_as_junit`: the formats
- `rule_coverage`: which ids of a catalogue of rules the tests cover
- `mutation_testing`: which lines could be broken without any test noticing
- `touched_tests`: which tests a change can touch
- `break_journal`: what a run of it has tried, so that another can go on
"""
