"""Jump search."""
