"""What the Python nodes of a case share: how often each ran and failed."""
env = None
