"""Reference gaits: norms of healthy people, gait angles, and periodic gaits consistent with the ground."""
