"""The exit codes of every command."""

OK = 0
FINDINGS = 1
WRONG_USAGE = 2
DEFECT = 3
INTERRUPTED = 130
CLOSED_PIPE = 141
