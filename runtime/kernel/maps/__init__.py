"""Zones and squares: what lies near what, ways, sight, and where figures can stand."""
