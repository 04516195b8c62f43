"""How far a run may still go. In a session these names serve annotations: the graph file declares the channels."""

from typing import Annotated

__all__ = ["IsLastStep", "IsLastStepManager", "RemainingSteps", "RemainingStepsManager"]


class IsLastStepManager:
    pass


class RemainingStepsManager:
    pass


IsLastStep = Annotated[bool, IsLastStepManager]
RemainingSteps = Annotated[int, RemainingStepsManager]
