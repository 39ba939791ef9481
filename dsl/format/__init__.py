"""The one layout of a text: `tale fmt`.

- `formatter`: the entry; compares the tree before and after
- `lexemes`: a text as rows of words, signs and comments
- `spaces`: where a space stands within a line
- `printer`: rows on a page: depth, blank lines, comments in columns
- `drawings`: maps drawn with names, their columns in line
"""
