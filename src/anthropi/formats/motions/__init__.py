"""File formats for motions: .npz, .h5, folders of frames, BVH, and tables (.csv, .trc, .mot)."""
