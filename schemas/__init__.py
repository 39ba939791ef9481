"""JSON Schemas (Draft 2020-12) of everything Talewright reads or writes."""
