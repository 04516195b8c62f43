"""Draws the losses of this branch as an SVG picture, with nothing but the standard library."""

WIDTH, HEIGHT, EDGE = 480, 240, 30


def plot(state):
    losses = state["losses"]
    top = max(losses) or 1
    points = " ".join(
        "%.1f,%.1f" % (EDGE + i * (WIDTH - 2 * EDGE) / max(1, len(losses) - 1), HEIGHT - EDGE - v / top * (HEIGHT - 2 * EDGE))
        for i, v in enumerate(losses)
    )
    with open("/session/artifacts/losses.svg", "w") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">'
            '<polyline points="%s" fill="none" stroke="#2563eb" stroke-width="2"/>'
            '<text x="%d" y="18" font-family="sans-serif" font-size="13">loss, rate %g</text></svg>\n'
            % (WIDTH, HEIGHT, points, EDGE, state.get("rate", 0.05))
        )
    with open("/session/training.log") as file, open("/session/artifacts/training.log", "w") as copy:
        copy.write(file.read())
    return {}
