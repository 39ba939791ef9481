"""The outcomes of tests written in Tale: for people, for programs, for build servers, beside a catalogue."""
