"""What people write on a command line of grids and machines: 8x4x1, torus:8x8x8, nodes:16x8."""
