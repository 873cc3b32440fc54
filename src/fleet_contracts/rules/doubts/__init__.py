"""What is allowed in a Verifier, but can hardly be meant: the warnings of spec section 6."""
