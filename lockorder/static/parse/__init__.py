"""From the text of one unit to facts."""
