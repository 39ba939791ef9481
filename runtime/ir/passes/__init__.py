"""From what lowering wrote to what an engine can run.

`pipeline` is the one order in which the passes are right: `asking` settles who may ask, `inlining` puts short functions in place,
`metering` bounds steps and depth, `cutting` cuts at decisions. `survey` knows who calls whom, `liveness` which locals are
still needed.
"""
