"""What became of content: Tasks that came, went and changed, and what that means for attempts."""
