// A thread's history is told of nodes and edges as text.

#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/scene/node_marks.h"
#include "ui/graph/scene/run_view.h"

#include <cmath>

using namespace sg;
using namespace sg::ui;

namespace {

struct History : HistoryRows {
    // A superstep: tasks that ran from the last checkpoint, then the checkpoint that they made.
    History& step(const QStringList& after, const QStringList& next,
                  const QString& source = QStringLiteral("loop"))
    {
        const QString parent = checkpoints.empty() || !from.isEmpty() ? from : checkpoints.back().id;
        for (const QString& node : after)
            task(node, "done", 0.34);
        CheckpointRow row;
        row.id = QStringLiteral("c%1").arg(checkpoints.size());
        row.parent = parent;
        row.step = static_cast<int>(checkpoints.size()) - 1;
        row.source = source.toStdString();
        row.after = after;
        row.next = next;
        checkpoints.push_back(row);
        from.clear();
        return *this;
    }
    History& task(const QString& node, const char* outcome, double seconds = kUnknown,
                  const QString& error = {})
    {
        TaskRow row;
        row.checkpoint = !from.isEmpty() ? from : checkpoints.empty() ? QString() : checkpoints.back().id;
        row.task = QStringLiteral("t%1").arg(tasks.size());
        row.node = node;
        row.outcome = taskOutcomeNamed(outcome);
        row.startedMs = 1000;
        row.seconds = seconds;
        row.error = error;
        tasks.push_back(row);
        return *this;
    }
    QString from; // the parent of the next step, where it is not the last checkpoint
};

QString textOf(const GraphDrawing& drawing, const RunView& view)
{
    QStringList words;
    for (const DrawnNode& node : drawing.nodes) {
        if (node.kind != DrawnNode::Kind::Card)
            continue;
        const auto found = view.nodes.find(node.id);
        const NodeState state = found == view.nodes.end() ? NodeState{} : found->second;
        QString word = QString::fromStdString(node.id.value) + QLatin1Char(':')
            + stateWord(state.kind).section(QLatin1Char(' '), 0, 0);
        if (state.secondLine == QLatin1String("Not reached"))
            word += QStringLiteral("(reached)");
        if (state.secondLine == QLatin1String("If chosen"))
            word += QStringLiteral("(chosen)");
        if (!state.note.isEmpty())
            word += QLatin1Char('(') + state.note + QLatin1Char(')');
        words << word;
    }
    QStringList taken;
    for (std::size_t i = 0; i < drawing.edges.size(); ++i)
        if (i < view.edges.taken.size() && view.edges.taken[i])
            taken << QString::fromStdString(drawing.nodes[drawing.edges[i].from].id.value + ">"
                                            + drawing.nodes[drawing.edges[i].to].id.value);
    for (const int arrived : view.edges.arrived)
        taken << QStringLiteral("join %1").arg(arrived);
    return words.join(QLatin1Char(' ')) + QStringLiteral(" | ")
        + taken.join(QLatin1Char(' ')).replace(QStringLiteral("__"), QString());
}

const QString kInput = QStringLiteral("input");
QStringList l(const char* names)
{
    return QString::fromLatin1(names).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

class TestRunView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatARunDid_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("viewed");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<int>("history");
        const auto row = [](const char* name, const char* graph, int history, const char* viewed,
                            const char* expected) {
            QTest::newRow(name) << QString::fromLatin1(graph) << QString::fromLatin1(viewed)
                                << QString::fromLatin1(expected) << history;
        };
        const char* chain = "start>a>b>end";
        row("nothing ran", chain, 0, "", "a:Not b:Not | ");
        row("finished", chain, 1, "", "a:Done b:Done | start>a a>b b>end");
        row("viewing the middle", chain, 1, "c1", "a:Done b:Queued | start>a a>b");
        row("viewing the input", chain, 1, "c0", "a:Queued b:Queued | start>a");
        row("unknown checkpoint", chain, 1, "gone", "a:Not b:Not | ");
        row("running", chain, 2, "", "a:Done b:Running | start>a a>b");
        row("failed", chain, 3, "", "a:Done b:Failed | start>a a>b");
        row("failed before others", "start>a>b>c>end", 3, "", "a:Done b:Failed c:Not(reached) | start>a a>b");
        row("failed beside one that finished", "start>a, a>b, a>c, b>d>end, c>e>end", 15, "",
            "a:Done b:Done c:Failed d:Not(reached) e:Not(reached) | start>a a>b a>c");
        row("paused", chain, 12, "", "a:Done b:Paused | start>a a>b");
        row("stopped between two steps", "start>a>b>c>end", 13, "",
            "a:Done b:Stopped c:Not(reached) | start>a a>b");
        row("drawn later", "start>a, a?yes>b, a?no>new, b>end, new>end", 14, "",
            "a:Done b:Done new:Not | start>a b>end a>b");
        row("interrupted", chain, 4, "", "a:Done b:Waiting | start>a a>b");
        row("a branch that is not decided", "start>a>b, b?yes>c, b?no>d, c>e>end, d>end", 4, "",
            "a:Done b:Waiting c:Not(chosen) d:Not(chosen) e:Not(chosen) | start>a a>b");
        const char* fork = "start>a, a?yes>b, a?no>c, b>end, c>end";
        row("branch", fork, 5, "", "a:Done b:Done c:Skipped | start>a b>end a>b");
        row("branch decided", fork, 5, "c1", "a:Done b:Queued c:Skipped | start>a a>b");
        const char* loop = "start>a, a?again>a, a?on>b, b>end";
        row("loop", loop, 6, "", "a:Done(2nd run) b:Done | start>a b>end a>a a>b");
        row("loop, second round next", loop, 6, "c1", "a:Queued(2nd run) b:Not(chosen) | start>a a>a");
        const char* join = "start>a, start>b, a+b>c, c>end";
        row("join", join, 7, "", "a:Done b:Done c:Done | start>a start>b a>c b>c c>end join 2");
        row("fork of the past", chain, 8, "", "a:Done b:Done | start>a a>b b>end");
        row("the end of an older branch", chain, 10, "c1", "a:Done b:Failed | start>a a>b");
        row("the branch beside it", chain, 10, "", "a:Done b:Done | start>a a>b b>end");
        row("it failed before it was copied", chain, 11, "c1", "a:Done b:Failed | start>a a>b");
        row("second run on the thread", chain, 9, "", "a:Running b:Queued | start>a");
    }
    void saysWhatARunDid()
    {
        QFETCH(QString, graph);
        QFETCH(QString, viewed);
        QFETCH(QString, expected);
        QFETCH(int, history);
        const GraphDrawing drawing = drawingOf(test::graphFromText(graph.toStdString()));
        QCOMPARE(textOf(drawing, runViewAt(drawing, historyNumbered(history), viewed)), expected);
    }

    // Packets' targets stand in no checkpoint's "after", and a copy that a person made has none at all.
    void packetsAndCopiesAreWhatTheirTasksSay()
    {
        const GraphDrawing drawing =
            drawingOf(test::graphFromText("start>split>check>sum>end, split>count>sum"));
        History history;
        history.step({}, l("split"), kInput).step(l("split"), l("count check"));
        history.task(QStringLiteral("count"), "done", 0.1);
        history.step(l("check"), l("sum"));
        QCOMPARE(textOf(drawing, runViewAt(drawing, history, {})),
                 QStringLiteral("split:Done check:Done sum:Queued count:Done | start>split split>check "
                                "check>sum split>count count>sum"));
        history.from = history.checkpoints[0].id; // beside the one that "split" made
        history.step({}, l("count check"), QStringLiteral("fork"));
        history.checkpoints.back().step = history.checkpoints[0].step + 2;
        history.task(QStringLiteral("count"), "cached");
        history.step(l("check"), l("sum"));
        QCOMPARE(textOf(drawing, runViewAt(drawing, history, {})),
                 QStringLiteral("split:Done check:Done sum:Queued count:Reused | start>split split>check "
                                "check>sum split>count count>sum"));
    }

    // It runs when all others have: its edge is taken then, and not that to a node that was drawn later.
    void aDeferredNodesEdgeIsTakenWhenItRuns()
    {
        const GraphDrawing drawing =
            drawingOf(test::graphFromText("start>a, a>b, a>c, b>d, c>e>d, b>new, d>end"));
        History history;
        history.step({}, l("a"), kInput).step(l("a"), l("b c")).step(l("b c"), l("e")).step(l("e"), l("d"));
        const auto text = [&] {
            return textOf(drawing, runViewAt(drawing, history, {})).section(QLatin1String(" | "), 1);
        };
        QVERIFY2(!text().contains(QStringLiteral("b>d")), qPrintable(text()));
        history.step(l("d"), {});
        QVERIFY2(text().contains(QStringLiteral("b>d")), qPrintable(text()));
        QVERIFY(!text().contains(QStringLiteral("new")));
    }

    void tasksOfOneNodeAreOneState()
    {
        const GraphDrawing drawing = drawingOf(test::graphFromText("start>a>end"));
        History history;
        history.step({}, l("a"), kInput)
            .task(QStringLiteral("a"), "done", 1)
            .task(QStringLiteral("a"), "running")
            .task(QStringLiteral("a"), "running");
        QCOMPARE(runViewAt(drawing, history, {}).nodes.at(NodeId("a")).secondLine,
                 QStringLiteral("Running, 1 of 3 done"));
        history.tasks.back().outcome = TaskOutcome::Failed;
        history.tasks.back().error = QStringLiteral("KeyError: 'mass'");
        QCOMPARE(runViewAt(drawing, history, {}).nodes.at(NodeId("a")).secondLine,
                 QStringLiteral("Failed: KeyError: 'mass'"));
    }

    // The task of a person takes microseconds; the answer takes as long as the person.
    void aPersonsTaskTellsHowLongTheAnswerTook()
    {
        GraphDrawing drawing = drawingOf(test::graphFromText("start>a>end"));
        History history;
        history.step({}, l("a"), kInput).step(l("a"), {});
        TaskRow& task = history.tasks.back();
        task.triedMs = 1'000;
        task.startedMs = 24'000;
        task.seconds = 0.000'021;
        task.wasAsked = true;
        const auto words = [&] { return runViewAt(drawing, history, {}).nodes.at(NodeId("a")).secondLine; };
        QCOMPARE(words(), QStringLiteral("Done 21\u00A0µs"));
        drawing.nodes[drawing.findNode(NodeId("a"))].nodeKind = "human";
        QCOMPARE(words(), QStringLiteral("Answered 23\u00A0s"));
        history.tasks.back().triedMs = kUnknown; // another program's
        QCOMPARE(words(), QStringLiteral("Answered"));
    }

    // While the tasks of a step ran: some were over, some ran, some had not begun; nothing counts on.
    void betweenTwoCheckpointsItShowsWhatRanThen()
    {
        const GraphDrawing drawing = drawingOf(test::graphFromText("start>a>b>end, a>c>end, a>d>end"));
        History history;
        history.step({}, l("a"), kInput).step(l("a"), l("b c d"));
        const auto task = [&history](const char* node, const char* outcome, double from, double seconds) {
            history.task(QString::fromLatin1(node), outcome, seconds);
            history.tasks.back().startedMs = from;
        };
        task("b", "done", 2000, 4);
        task("c", "failed", 2500, 0.5);
        task("d", "done", 5000, 1);
        history.tasks.back().triedMs = 2000; // it asked at once, and was answered at 5 s
        history.tasks.back().wasAsked = true;
        const auto at = [&](double ms) {
            return textOf(drawing, runViewAt(drawing, history, l("c1").front(), ms));
        };
        const QString edges = QStringLiteral(" | start>a a>b a>c a>d");
        QCOMPARE(at(1900), QStringLiteral("a:Done b:Queued c:Queued d:Queued") + edges);
        QCOMPARE(at(2100), QStringLiteral("a:Done b:Running c:Queued d:Waiting") + edges);
        QCOMPARE(at(2600), QStringLiteral("a:Done b:Running c:Running d:Waiting") + edges);
        QCOMPARE(at(3100), QStringLiteral("a:Done b:Running c:Failed d:Waiting") + edges);
        QCOMPARE(at(5100), QStringLiteral("a:Done b:Running c:Failed d:Running") + edges);
        QCOMPARE(at(6100), QStringLiteral("a:Done b:Done c:Failed d:Done") + edges);
        const NodeState then = runViewAt(drawing, history, QStringLiteral("c1"), 3200).nodes.at(NodeId("b"));
        QCOMPARE(then.secondLine, QStringLiteral("Running 1.2\u00A0s"));
        QVERIFY(then.isPast && std::isnan(then.runningSinceMs));
    }

    void aCircleOfParentsEnds()
    {
        const GraphDrawing drawing = drawingOf(test::graphFromText("start>a>end"));
        History history;
        history.step({}, l("a")).step(l("a"), {});
        history.checkpoints[0].parent = QStringLiteral("c1");
        QVERIFY(runViewAt(drawing, history, {}).edges.runShown);
    }

    void marksComeFromTheFile()
    {
        graph::Graph graph = test::graphFromText("start>a, a?x>b");
        graph.interruptBefore = { "b" };
        graph.interruptAfter = { "*" };
        const auto problem = [](const char* pointer, const char* message, bool warning) {
            graph::Problem made;
            made.pointer = pointer;
            made.message = message;
            made.severity = warning ? graph::Problem::Severity::Warning : graph::Problem::Severity::Error;
            return made;
        };
        NodeStates states;
        addMarks(states, graph,
                 { problem("/nodes/0/jq", "w", true), problem("/nodes/0/file", "e", false),
                   problem("/branches/0", "later", false), problem("/nodes/99", "x", false),
                   problem("/state/q", "y", false), problem("/nodes/zz", "z", false) });
        QCOMPARE(states[NodeId("a")].problem, QStringLiteral("e"));
        QVERIFY(!states[NodeId("a")].problemIsWarning);
        QVERIFY(states[NodeId("b")].breakpointBefore && states[NodeId("b")].breakpointAfter);
        QVERIFY(!states[NodeId("a")].breakpointBefore && states[NodeId("a")].breakpointAfter);
        QVERIFY(states[NodeId("b")].problem.isEmpty());
    }

    void ordinals()
    {
        QCOMPARE(runOrdinal(1), QString());
        QCOMPARE(runOrdinal(2), QStringLiteral("2nd run"));
        QCOMPARE(runOrdinal(3), QStringLiteral("3rd run"));
        QCOMPARE(runOrdinal(11), QStringLiteral("11th run"));
        QCOMPARE(runOrdinal(22), QStringLiteral("22nd run"));
    }

private:
    static History historyNumbered(int number)
    {
        History h;
        switch (number) {
        case 1: h.step({}, l("a"), kInput).step(l("a"), l("b")).step(l("b"), {}); break;
        case 2: h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "running"); break;
        case 3: h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "failed"); break;
        case 4:
            h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "interrupted");
            break;
        case 5: h.step({}, l("a"), kInput).step(l("a"), l("b")).step(l("b"), {}); break;
        case 6: h.step({}, l("a"), kInput).step(l("a"), l("a")).step(l("a"), l("b")).step(l("b"), {}); break;
        case 7: h.step({}, l("a b"), kInput).step(l("a b"), l("c")).step(l("c"), {}); break;
        case 8:
            h.step({}, l("a"), kInput).step(l("a"), l("b")).step(l("b"), {});
            h.from = QStringLiteral("c1");
            h.step(l("b"), {});
            break;
        case 9:
            h.step({}, l("a"), kInput)
                .step(l("a"), l("b"))
                .step(l("b"), {})
                .step({}, l("a"), kInput)
                .task(QStringLiteral("a"), "running");
            break;
        case 10:
        case 11:
            h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "failed");
            if (number == 10)
                h.from = QStringLiteral("c0");
            h.step(number == 10 ? l("a") : QStringList(), l("b"),
                   number == 10 ? QStringLiteral("loop") : QStringLiteral("fork"));
            h.step(l("b"), {});
            break;
        case 12: h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "paused"); break;
        case 13: h.step({}, l("a"), kInput).step(l("a"), l("b")).task(QStringLiteral("b"), "stopped"); break;
        case 14:
            h.step({}, l("a"), kInput).step(l("a"), l("b")).step(l("b"), {});
            h.nodes = l("a b");
            break;
        case 15: // the head names those alone that have not finished
            h.step({}, l("a"), kInput).step(l("a"), l("c"));
            h.task(QStringLiteral("b"), "done", 0.1).task(QStringLiteral("c"), "failed");
            break;
        default: break;
        }
        return h;
    }
};

SG_CORE_TEST(TestRunView)
#include "tst_run_view.moc"
