"""Everything Talewright reads or writes: JSON Schemas (Draft 2020-12), and the document's own checks.

The compiler writes documents and the runtime plays them; neither knows the other, and both read this.
"""
