"""What tests and benchmarks share: kernels, scripts of commands, synthetic runs, a browser."""
