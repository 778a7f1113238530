"""Write motions for browsers and viewers: pages (.html), glTF (.glb), pictures and films."""
