"""Pictures for papers and slides: curves and ratios, and machines with the ranks on them."""
