"""What a run will not see, said beforehand: checks of this machine and of programs."""
