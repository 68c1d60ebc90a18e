"""From a path to the sources, their flags and their headers; nothing is compiled."""
