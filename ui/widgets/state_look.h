#pragma once

#include "core/base/run_status.h"
#include "ui/widgets/palette.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace sg::ui {

// The state of a node, task or thread, which has the same glyph, colour and word everywhere.
enum class StateKind {
    Idle, // not run yet: no glyph
    Queued,
    Running,
    Done,
    Failed,
    Waiting, // for a person
    Paused, // at a breakpoint, or by a person between two steps: it waits for nobody's answer
    Skipped,
    Stopped, // by a person, before it was done
    Cached,
    Partial, // done in part
};
inline constexpr StateKind kStateKinds[] = { StateKind::Idle,   StateKind::Queued,  StateKind::Running,
                                             StateKind::Done,   StateKind::Failed,  StateKind::Waiting,
                                             StateKind::Paused, StateKind::Skipped, StateKind::Stopped,
                                             StateKind::Cached, StateKind::Partial };

Token stateToken(StateKind kind);
Token stateTint(StateKind kind);
QString stateWord(StateKind kind); // "Running", "Waiting for you", …; Idle: "Not run yet"
[[nodiscard]] bool isLoud(StateKind kind); // running, failed, waiting, paused: somebody looks for it
[[nodiscard]] bool isQuiet(StateKind kind); // idle, queued, skipped, stopped: nothing came of it

StateKind stateOf(RunStatus status);
StateKind stateOf(TaskOutcome outcome);

// The glyph fills `rect`; it was designed for 20 × 20 and is readable from 10. Cut-outs have the colour
// `background`. `turn` rotates the arc of Running, 0…1.
void paintStateGlyph(QPainter& painter, StateKind kind, const QRectF& rect, QRgb background, double turn = 0);

// The exactness with which a checkpoint's session can be restored; the mark is the checkpoint's dot.
enum class Rewind { Exact, Restored, None };
void paintRewindMark(QPainter& painter, Rewind rewind, const QPointF& centre, QRgb ink, QRgb background);

} // namespace sg::ui
