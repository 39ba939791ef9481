"""The grammar of Tale and its parser.

- `tale.lark`: the grammar, LALR(1)
- `lark_parser`: Lark with this grammar
- `indentation`: blocks from indentation, between lexer and parser
- `reserved_words`: which words are reserved, and which stay free
- `fast_parser`, `tokens`: parses texts without mistakes, from Lark's tables, without loading Lark
- `parser_tables`, `table_store`: these tables, and where they are kept on disk
"""
