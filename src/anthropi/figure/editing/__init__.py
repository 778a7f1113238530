"""Editing of figures: re-root, lock, scale, mirror, attach, detach, merge, combine. `Figure` has the methods."""
