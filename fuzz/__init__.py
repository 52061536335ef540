"""Properties of all that reads what comes from outside, and strategies of what that may be."""
