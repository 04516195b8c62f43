"""State fields that the engine fills in."""

IsLastStep = bool
RemainingSteps = int
