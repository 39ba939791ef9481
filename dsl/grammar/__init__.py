"""The grammar of Tale and its parser.

- `tale.lark`: the grammar, LALR(1); `grammar_file`: its path, and a name for what it says
- `lark_parser`: Lark with this grammar
- `indentation`: blocks from indentation, between lexer and parser
- `reserved_words`: which words are reserved, and which stay free
"""
