"""The open project: its data, its file, the scene of its world, and autosave."""
