"""Mathematics for any scalar, independent of figures: scalar functions, rotations, spatial vectors, linear systems."""
