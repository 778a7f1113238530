"""The open project: its frozen data, its file, its world as a scene, and autosave."""
