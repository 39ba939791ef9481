"""Tests written in Tale, run on the engine: set up, rigged, answered, played and compared.

`runner` plays the tests of a document, `answers` matches what a test decides with what is asked, `rigs` writes down what
chance will bring.
"""
