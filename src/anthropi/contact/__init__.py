"""What figures meet: the ground, obstacles, each other, the ends of their joints."""
