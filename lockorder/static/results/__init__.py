"""What was found, in the model's terms."""
