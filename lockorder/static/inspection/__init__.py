"""What the analysis read and did, for whoever asks why it says what it says."""
