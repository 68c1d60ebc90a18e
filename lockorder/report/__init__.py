"""Reports: one file a format.  Nothing here decides what is a finding."""
