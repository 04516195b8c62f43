#include "ui/replay/side_effects.h"

#include "core/graph/node_kinds.h"

#include <QObject>

#include <map>

namespace sg::ui {
namespace {

using graph::SideEffect;

QString translatedText(std::string_view english)
{
    return QObject::tr(std::string(english).c_str());
}

QString counted(int count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(count);
}

struct Counts {
    std::map<std::string, int, std::less<>> kinds; // number of tasks of each kind
    int asked = 0; // includes tasks that stopped at a question before
    int coded = 0; // tasks that run code, also inside of subgraphs
    int unknown = 0;
};

Counts countsOf(const ReplayPlan& plan, const Reach& reach)
{
    Counts counts;
    for (const std::vector<PlannedTask>* tasks : { &plan.next, &plan.later })
        for (const PlannedTask& task : *tasks) {
            const std::string id = reach.kinds.value(task.node).toStdString();
            const graph::NodeKind* kind = graph::findNodeKind(id);
            const auto has = [kind](SideEffect effect) { return kind && kind->effect == effect; };
            ++counts.kinds[id];
            counts.asked += task.outcome == TaskOutcome::Interrupted || has(SideEffect::AsksPerson) ? 1 : 0;
            counts.coded += has(SideEffect::RunsCode)
                    || (has(SideEffect::RunsInside) && reach.withCode.contains(task.node))
                ? 1
                : 0;
            counts.unknown += id.empty() ? 1 : 0;
        }
    return counts;
}

void addSandbox(QStringList& lines, const Reach& reach)
{
    if (!reach.mode.isEmpty())
        lines << QObject::tr("Files and data of the sandbox: %1").arg(reach.mode);
    lines << (reach.hosts.isEmpty()
                  ? QObject::tr("Nothing reaches the network")
                  : QObject::tr("The code can reach %1").arg(reach.hosts.join(QStringLiteral(", "))));
}

} // namespace

QStringList sideEffects(const ReplayPlan& plan, const Reach& reach)
{
    const Counts counts = countsOf(plan, reach);
    QStringList lines;
    const auto tell = [&](const graph::NodeKind& kind, int tasks) {
        if (tasks > 0 && !kind.onePlanned.empty())
            lines << counted(tasks, translatedText(kind.onePlanned), translatedText(kind.manyPlanned));
    };
    for (const SideEffect effect : { SideEffect::RunsCode, SideEffect::RunsInside, SideEffect::ReachesOut,
                                     SideEffect::FetchesData, SideEffect::AsksPerson, SideEffect::None }) {
        for (const graph::NodeKind& kind : graph::nodeKinds()) {
            const auto found = counts.kinds.find(kind.id);
            if (kind.effect == SideEffect::AsksPerson && effect == kind.effect) {
                tell(kind, counts.asked);
                break; // all kinds that ask count as questions
            }
            if (kind.effect == effect && found != counts.kinds.end())
                tell(kind, found->second);
        }
        if (effect == SideEffect::RunsInside && counts.coded > 0)
            addSandbox(lines, reach);
    }
    if (counts.unknown > 0)
        lines << counted(counts.unknown, QObject::tr("1 task of a node that the graph does not have now"),
                         QObject::tr("%1 tasks of nodes that the graph does not have now"));
    return lines;
}

QString sandboxFate(const ReplayPlan& plan, rewind::SandboxChoice choice)
{
    using rewind::SandboxChoice;
    if (plan.sandbox == SandboxMark::Unused)
        return {};
    const bool hasNothing = plan.sandbox == SandboxMark::None;
    const QString why = plan.sandboxNote.isEmpty() ? QString() : QStringLiteral(". ") + plan.sandboxNote;
    if (choice == SandboxChoice::Fresh)
        return hasNothing ? QObject::tr("Nothing was kept of the sandbox at this step: it begins empty") + why
                          : QObject::tr("The sandbox begins empty");
    if (choice == SandboxChoice::Keep)
        return QObject::tr("The sandbox stays as it stands now, with what later steps did in it");
    if (choice == SandboxChoice::Exact)
        return QObject::tr("The sandbox goes back to this step exactly, or nothing runs");
    QString words = choice == SandboxChoice::Stored
        ? QObject::tr("The sandbox goes back to this step from what was stored")
        : plan.sandbox == SandboxMark::Exact
        ? QObject::tr("The sandbox goes back to this step: every name and file as it was")
        : plan.sandbox == SandboxMark::Restored
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
