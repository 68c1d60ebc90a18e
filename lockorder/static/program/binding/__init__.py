"""Names that were read by syntax become declarations."""
