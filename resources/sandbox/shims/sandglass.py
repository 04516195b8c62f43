"""What code in a session may ask of Sandglass: its datasets."""

from sandglass_runner import context

__all__ = ["export_datasets", "list_datasets", "select_dataset"]


def select_dataset(dataset_id):
    """Brings the dataset into the session, once; returns its path. Raises where it cannot be had."""
    return _ask({"op": "select", "id": str(dataset_id)})["path"]


def list_datasets():
    """The datasets that can be selected: maps with id, status, provider and, once LOADED, path and bytes."""
    return _ask({"op": "list"})


def export_datasets(path):
    """Copies a file of the session out under a timestamped name, and stores it as an artifact."""
    return _ask({"op": "export", "path": str(path)})


def _ask(request):
    if context.job is None:
        raise RuntimeError("datasets can be asked for by code that a session runs")
    return context.job.ask("datasets", request)
