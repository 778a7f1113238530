"""Mathematics that knows no figure, for any scalar: rotations, spatial vectors, small linear systems."""
