"""The commands, a file each, all alike: parse, knock at one door, print, return the status."""
