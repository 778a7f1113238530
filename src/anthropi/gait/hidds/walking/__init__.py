"""Walking by HIDDS: footprints, leg motion, a balanced path of the hips, and increments of the dynamics."""
