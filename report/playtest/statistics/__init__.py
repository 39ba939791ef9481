"""From counts to statistics.

- `summary`: the whole result, as `--json` writes it; `content`: what games could meet
- `estimates`: rates with Wilson intervals, means, percentiles
- `comparison`: two results side by side; `expectations`: what a result should show
- `luck`: how much each stream of chance decides
"""
