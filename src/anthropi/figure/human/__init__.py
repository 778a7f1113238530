"""The human figure: anthropometry, segments, joint ranges, body shapes, and the figures built from them."""
