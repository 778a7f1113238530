"""Studies in the studio: `catalog.py` finds and opens them, `reader.py` reads their columns, `process.py` runs them."""
