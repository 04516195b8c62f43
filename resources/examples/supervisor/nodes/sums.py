def multiply(a: int, b: int) -> int:
    """Multiplies two whole numbers."""
    return a * b
