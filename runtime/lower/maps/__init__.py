"""Maps: zones, grids of squares, ways on to chapters, and figures that a chapter brings."""
