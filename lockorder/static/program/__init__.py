"""All units as one program: who is who, who can call whom, what can stand where."""
