"""Makes LangGraph deterministic on import: tasks run one after another in task order, savers inline; all else is its own code."""
import concurrent.futures, contextvars, itertools
import langgraph.pregel._executor as _ex, langgraph.pregel._runner as _rn
from langgraph.errors import GraphInterrupt

_seq = itertools.count()
def sync_submit(fn, *args, __name__=None, __cancel_on_exit__=False, __reraise_on_exit__=True, __next_tick__=False, **kw):
    """Runs a superstep's tasks one after another, in task order; everything else is LangGraph's own code."""
    fut = concurrent.futures.Future(); fut.seq = next(_seq)
    try: fut.set_result(contextvars.copy_context().run(fn, *args, **kw))
    except BaseException as e: fut.set_exception(e)
    return fut
def get_sync_submit(): return sync_submit

_orig_panic = _rn._panic_or_proceed
def _panic(futs, *, handled_exception_ids=None, handled_futures=None, **kw):
    """LangGraph pops futures from a set, so which of several failures is raised is arbitrary: make it the first in task order."""
    bad = [f for f in futs if f.done() and not f.cancelled() and f.exception() is not None and not isinstance(f.exception(), GraphInterrupt)
           and f not in (handled_futures or ()) and id(f.exception()) not in (handled_exception_ids or ()) and f not in _rn.SKIP_RERAISE_SET]
    if len(bad) > 1:
        keep = min(bad, key=lambda f: getattr(f, "seq", 0)); futs = {f for f in futs if f is keep or f not in bad}
    return _orig_panic(futs, handled_exception_ids=handled_exception_ids, handled_futures=handled_futures, **kw)
_rn._panic_or_proceed = _panic
_orig_submit = _ex.BackgroundExecutor.submit
def _submit(self, fn, *args, **kw):
    """Checkpointer saves run inline, in submission order (the thread pool would let later steps mutate
    Topic / barrier values that a queued save still references)."""
    if getattr(fn, "__name__", "") not in ("put_writes", "_checkpointer_put_after_previous"):
        return _orig_submit(self, fn, *args, **kw)
    fut = concurrent.futures.Future()
    self.tasks[fut] = (False, True)
    try: fut.set_result(fn(*args))
    except BaseException as e: fut.set_exception(e)
    fut.add_done_callback(self.done)
    return fut
_ex.BackgroundExecutor.submit = _submit
