"""One file answers one question. Every algorithm is a pure function of a figure and one state."""
