"""File formats of figures and assemblies: figure.toml, URDF, MJCF, assembly.toml."""
