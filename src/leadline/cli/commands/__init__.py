"""The commands, a file each, all alike: parse, call one function below, print, return a status."""
