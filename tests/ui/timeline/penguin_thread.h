#pragma once

// A thread as in the penguins example after two forks: main failed at step 11, branch 2 waits, branch 3 runs.

#include "ui/bridge/rows/rows.h"

#include <QDateTime>

namespace sg::ui::sample {

inline constexpr double kStart = 1'795'271'000'000.0;

inline CheckpointRow checkpoint(const QString& id, const QString& parent, int step, const QStringList& after,
                                const QStringList& next)
{
    CheckpointRow row;
    row.id = id;
    row.parent = parent;
    row.step = step;
    row.source = step < 0 ? sg::checkpoint::Source::Input : sg::checkpoint::Source::Loop;
    row.after = after;
    row.next = next;
    row.timeMs = kStart + step * 3000;
    return row;
}

inline TaskRow task(const QString& checkpoint, const QString& node, int step, const QString& outcome,
                    double from, double seconds)
{
    TaskRow row;
    row.checkpoint = checkpoint;
    row.task = checkpoint + QLatin1Char('/') + node;
    row.node = node;
    row.step = step;
    row.outcome = sg::taskOutcomeNamed(outcome.toStdString());
    row.startedMs = kStart + (step - 1) * 3000 + from * 1000; // when the step before was stored
    row.seconds = seconds;
    return row;
}

inline HistoryRows penguins()
{
    const auto names = [](const char* text) {
        return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    };
    const auto s = [](const char* text) { return QString::fromLatin1(text); };
    HistoryRows rows;
    rows.thread = s("alice");
    rows.checkpoints = {
        checkpoint(s("a0"), {}, -1, {}, names("load")),
        checkpoint(s("a1"), s("a0"), 0, {}, names("load")),
        checkpoint(s("a2"), s("a1"), 1, names("load"), names("analyze")),
        checkpoint(s("a3"), s("a2"), 2, names("analyze"), names("check")),
        checkpoint(s("a4"), s("a3"), 3, names("check"), names("repair")),
        checkpoint(s("a5"), s("a4"), 4, names("repair"), names("analyze")),
        checkpoint(s("b5"), s("a4"), 4, names("repair"), names("analyze")),
        checkpoint(s("b6"), s("b5"), 5, names("analyze"), names("check")),
        checkpoint(s("b7"), s("b6"), 6, names("check"), names("visualize model approve")),
        checkpoint(s("c7"), s("b6"), 6, names("check"), names("visualize model approve")),
        checkpoint(s("c8"), s("c7"), 7, names("visualize model approve"), names("report")),
        checkpoint(s("c9"), s("c8"), 8, names("report"), names("publish")),
    };
    for (CheckpointRow& row :
         rows.checkpoints) // older ones were written out, the newest sleep in their session
        row.sandbox = row.step < 1 ? SandboxMark::None
            : row.step < 4         ? SandboxMark::Restored
                                   : SandboxMark::Exact;
    rows.checkpoints[4].sandboxNote = s("Missing 2 names: con, fig");
    TaskRow failed = task(s("a5"), s("analyze"), 5, s("failed"), 0, 2.6);
    failed.error = s("KeyError: 'body_mass'");
    TaskRow running = task(s("c9"), s("publish"), 9, s("running"), 0, kUnknown);
    running.startedMs = kUnknown;
    rows.tasks = {
        task(s("a1"), s("load"), 1, s("cached"), 0, 0.1),
        task(s("a2"), s("analyze"), 2, s("done"), 0, 2.4),
        task(s("a3"), s("check"), 3, s("done"), 0, 0.7),
        task(s("a4"), s("repair"), 4, s("done"), 0, 3.1),
        failed,
        task(s("b5"), s("analyze"), 5, s("done"), 0, 2.5),
        task(s("b6"), s("check"), 6, s("done"), 0, 0.7),
        task(s("b7"), s("visualize"), 7, s("done"), 0, 4.0),
        task(s("b7"), s("model"), 7, s("failed"), 0, 0.9),
        task(s("b7"), s("approve"), 7, s("interrupted"), 0.1, 3.9),
        task(s("c7"), s("visualize"), 7, s("done"), 0, 3.8),
        task(s("c7"), s("model"), 7, s("done"), 0, 2.4),
        task(s("c7"), s("approve"), 7, s("cached"), 0, 3.8),
        task(s("c8"), s("report"), 8, s("done"), 0, 6.1),
        running,
    };
    return rows;
}

} // namespace sg::ui::sample
