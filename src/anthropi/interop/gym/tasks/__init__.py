"""The registered environments: for each, a function that returns the arguments of `Env` or `VectorEnv`."""
