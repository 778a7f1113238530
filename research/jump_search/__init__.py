"""Search for the keys of jumps."""
