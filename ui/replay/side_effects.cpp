#include "ui/replay/side_effects.h"

#include <QObject>

namespace sg::ui {
namespace {

QString counted(int count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(count);
}

struct Counts {
    int python = 0;
    int human = 0;
    int jq = 0;
    int subgraphs = 0;
    int coded = 0; // of the subgraphs
    int unknown = 0;
};

Counts countsOf(const ReplayPlan& plan, const Reach& reach)
{
    Counts counts;
    for (const std::vector<PlannedTask>* tasks : { &plan.next, &plan.later })
        for (const PlannedTask& task : *tasks) {
            const QString kind = reach.kinds.value(task.node);
            const bool asks = task.outcome == QLatin1String("interrupted") || kind == QLatin1String("human");
            const bool isSubgraph = kind == QLatin1String("subgraph");
            counts.human += asks ? 1 : 0;
            counts.python += kind == QLatin1String("python") ? 1 : 0;
            counts.jq += kind == QLatin1String("jq") ? 1 : 0;
            counts.subgraphs += isSubgraph ? 1 : 0;
            counts.coded += isSubgraph && reach.withCode.contains(task.node) ? 1 : 0;
            counts.unknown += kind.isEmpty() ? 1 : 0;
        }
    return counts;
}

} // namespace

QStringList sideEffects(const ReplayPlan& plan, const Reach& reach)
{
    const Counts counts = countsOf(plan, reach);
    QStringList lines;
    if (counts.python > 0)
        lines << counted(counts.python, QObject::tr("1 Python node runs in the thread's sandbox"),
                         QObject::tr("%1 Python nodes run in the thread's sandbox"));
    if (counts.subgraphs > 0)
        lines << counted(counts.subgraphs, QObject::tr("1 subgraph runs with all that is in it"),
                         QObject::tr("%1 subgraphs run with all that is in them"));
    if (counts.python + counts.coded > 0) {
        if (!reach.mode.isEmpty())
            lines << QObject::tr("Files and data of the sandbox: %1").arg(reach.mode);
        lines << (reach.hosts.isEmpty()
                      ? QObject::tr("Nothing reaches the network")
                      : QObject::tr("The code can reach %1").arg(reach.hosts.join(QStringLiteral(", "))));
    }
    if (counts.human > 0)
        lines << counted(counts.human, QObject::tr("1 question to you"), QObject::tr("%1 questions to you"));
    if (counts.jq > 0)
        lines << counted(counts.jq, QObject::tr("1 jq program, which touches nothing"),
                         QObject::tr("%1 jq programs, which touch nothing"));
    if (counts.unknown > 0)
        lines << counted(counts.unknown, QObject::tr("1 task of a node that the graph does not have now"),
                         QObject::tr("%1 tasks of nodes that the graph does not have now"));
    return lines;
}

QString sandboxFate(const ReplayPlan& plan, const QString& choice)
{
    if (plan.sandbox.isEmpty())
        return {};
    const bool hasNothing = plan.sandbox == QLatin1String("none");
    const QString why = plan.sandboxNote.isEmpty() ? QString() : QStringLiteral(". ") + plan.sandboxNote;
    if (choice == QLatin1String(kSandboxFresh))
        return hasNothing ? QObject::tr("Nothing was kept of the sandbox at this step: it begins empty") + why
                          : QObject::tr("The sandbox begins empty");
    if (choice == QLatin1String(kSandboxKept))
        return QObject::tr("The sandbox stays as it stands now, with what later steps did in it");
    if (choice == QLatin1String(kSandboxExact))
        return QObject::tr("The sandbox goes back to this step exactly, or nothing runs");
    QString words = choice == QLatin1String(kSandboxStored)
        ? QObject::tr("The sandbox goes back to this step from what was stored")
        : plan.sandbox == QLatin1String("exact")
        ? QObject::tr("The sandbox goes back to this step: every name and file as it was")
        : plan.sandbox == QLatin1String("restored")
        ? QObject::tr("The sandbox goes back to this step as far as it was stored")
        : QObject::tr(
            "What was kept at this step comes back; where a session's copy was removed or cannot be "
            "read, nothing runs");
    words += why;
    if (!plan.reused.empty())
        words += QObject::tr(". What the reused tasks did in it is not there");
    return words;
}

} // namespace sg::ui
