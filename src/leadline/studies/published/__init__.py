"""What papers printed, as data: a module a paper, an id a figure, each number in one place."""
