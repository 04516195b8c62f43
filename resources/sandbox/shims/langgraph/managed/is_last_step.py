"""How far a run may still go. In a session these are for annotations: the graph file says which channels they are."""

from typing import Annotated

__all__ = ["IsLastStep", "IsLastStepManager", "RemainingSteps", "RemainingStepsManager"]


class IsLastStepManager:
    pass


class RemainingStepsManager:
    pass


IsLastStep = Annotated[bool, IsLastStepManager]
RemainingSteps = Annotated[int, RemainingStepsManager]
