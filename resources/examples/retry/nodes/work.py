"""A step that is known to fail at first. It catches its failure and says so in the state; the branch decides."""


def fetch(attempt, failures):
    if attempt <= failures:
        raise ConnectionError(f"attempt {attempt}: the service does not answer")
    return f"answer of attempt {attempt}"


def node(state, config):
    attempt = state["retry_count"] + 1
    failures = state.get("failures", 2)
    try:
        result = fetch(attempt, failures)
    except ConnectionError as error:
        print(error)
        return {"status": "error", "last_error": str(error), "retry_count": 1, "log": [f"attempt {attempt} failed"]}
    print(f"attempt {attempt} succeeded")
    return {"status": "ok", "result": result, "log": [f"attempt {attempt} succeeded"]}
