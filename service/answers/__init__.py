"""What is answered, as plain objects: no HTTP."""
