"""Pictures for papers and slides: curves and ratios, and machines with ranks on them."""
