"""Walking by HIDDS: footprints, legs, a balanced path of the hips, and increments rooted at the stance foot."""
