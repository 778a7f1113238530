"""File formats for figures and assemblies: figure.toml, URDF, MJCF, assembly.toml."""
