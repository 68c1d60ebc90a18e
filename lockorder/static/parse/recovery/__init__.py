"""Reading what libclang dropped, by syntax."""
