"""One module a verb: parses nothing, prints through report, returns the exit code."""
