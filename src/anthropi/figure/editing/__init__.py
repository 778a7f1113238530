"""New figures from old ones: re-rooted, locked, scaled, mirrored, joined, parted, merged. `Figure` has the methods."""
