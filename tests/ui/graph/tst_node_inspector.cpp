// The inspector tells the selected node's state, its failure with the traceback, its program.

#include "core/base/json.h"
#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/panels/failure_card.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_inspector.h"
#include "ui/widgets/time_format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

using namespace sg;
using namespace sg::ui;

namespace {

NodeReport failedNode()
{
    NodeReport report;
    report.node.name = NodeId("analyze <b>");
    report.node.kind = "python";
    report.node.settings.set("file", Value("nodes/analyze.py"));
    report.node.reads = std::vector<std::string>{ "rows" };
    report.state.kind = StateKind::Failed;
    TaskRow task;
    task.step = 2;
    task.error = QStringLiteral("KeyError: 'wing'");
    task.detail = QStringLiteral("Traceback:\n```\n  File \"nodes/analyze.py\", line 2\nKeyError: 'wing'");
    task.seconds = 0.9;
    report.task = task;
    return report;
}

QString words(const QWidget& widget)
{
    QStringList all;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (!label->isHidden())
            all << label->text();
    return all.join(QLatin1Char('\n'));
}

} // namespace

class TestNodeInspector : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aFailureIsSaidWithItsTraceback()
    {
        NodeInspector inspector;
        inspector.show(failedNode());
        inspector.resize(380, 480);
        static_cast<QWidget&>(inspector).show();
        const QString said = words(inspector);
        QVERIFY2(said.contains(QStringLiteral("Failed after ") + formatDuration(0.9)), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("nodes/analyze.py")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("analyze &lt;b&gt;")),
                 qPrintable(said)); // no markup from files
        QVERIFY(inspector.findChild<QWidget*>(QStringLiteral("nodeFailure"))->isVisible());
        auto* code = inspector.findChild<QPlainTextEdit*>(QStringLiteral("nodeCode"));
        QVERIFY(code->toPlainText().contains(QStringLiteral("line 2")));
        QVERIFY(code->isReadOnly());
    }

    // The project's own calls come first and open, those of libraries are one row each time.
    void libraryFramesAreFolded()
    {
        const QString text =
            QStringLiteral("Traceback (most recent call last):\n"
                           "  File \"x.py\", line 1, in <module>\n"
                           "KeyError: 'a'\n\n"
                           "During handling of the above exception, another exception occurred:\n\n"
                           "Traceback (most recent call last):\n"
                           "  File \"nodes/model.py\", line 17, in node\n"
                           "    K = rbf(X)\n"
                           "        ^^^^^^\n"
                           "  File \"/usr/lib/python3/dist-packages/sklearn/svm.py\", line 3, in fit\n"
                           "    x()\n"
                           "  File \"/usr/lib/python3/dist-packages/numpy/core.py\", line 12, in zeros\n"
                           "MemoryError: unable to allocate\n  61 MiB");
        const Traceback trace = tracebackOf(text);
        QCOMPARE(trace.frames.size(), std::size_t(3));
        QCOMPARE(trace.frames[0].code, QStringLiteral("K = rbf(X)"));
        QVERIFY(!trace.frames[0].isLibrary && trace.frames[1].isLibrary && trace.frames[2].isLibrary);
        QCOMPARE(trace.message, QStringLiteral("MemoryError: unable to allocate"));
        NodeReport report = failedNode();
        report.task->detail = text;
        report.wentIn = *parseJson("{\"rows\":[1,2],\"other\":3}");
        NodeInspector inspector;
        inspector.resize(420, 700);
        static_cast<QWidget&>(inspector).show();
        int asked = 0;
        inspector.setFailureVerbs([&asked](const TaskRow&) {
            ++asked;
            BannerAction verb;
            verb.text = QStringLiteral("Resume after the fix");
            verb.run = [&asked] { asked += 100; };
            return std::vector<BannerAction>{ verb };
        });
        inspector.show(report);
        inspector.show(report); // a run goes on elsewhere: nothing is made anew
        QCOMPARE(asked, 1);
        auto* frames = inspector.findChild<QTreeWidget*>(QStringLiteral("failureFrames"));
        QVERIFY(frames->isVisible());
        QCOMPARE(frames->topLevelItemCount(), 2);
        QCOMPARE(frames->topLevelItem(0)->text(0), QStringLiteral("nodes/model.py:17 in node"));
        QVERIFY(frames->topLevelItem(0)->isExpanded());
        QVERIFY(frames->topLevelItem(0)->child(0)->text(0).contains(QStringLiteral("K = rbf(X)")));
        QCOMPARE(frames->topLevelItem(1)->text(0),
                 QStringLiteral("2 library frames  sklearn 1, numpy 1; the last is numpy/core.py:12"));
        QVERIFY(!frames->topLevelItem(1)->isExpanded());
        auto* state = inspector.findChild<QTreeWidget*>(QStringLiteral("failureState"));
        QVERIFY(state->isVisible());
        QCOMPARE(state->topLevelItemCount(), 1); // what it reads
        QCOMPARE(state->topLevelItem(0)->text(1), QStringLiteral("[1, 2]"));
        auto* raw = inspector.findChild<QPushButton*>(QStringLiteral("failureText"));
        auto* code = inspector.findChild<QPlainTextEdit*>(QStringLiteral("nodeCode"));
        QVERIFY(!code->isVisible());
        raw->click();
        QVERIFY(code->isVisible());
        for (QPushButton* button : inspector.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Resume after the fix"))
                button->click();
        QCOMPARE(asked, 101);
    }

    // At a small size the verbs stay in sight below the traceback, and the code leaves it the room.
    void aFailureHasTheRoomOfTheCode()
    {
        GraphDocument document;
        document.setGraph(test::graphFromText("start>a>end"));
        Inspector inspector(document);
        auto* code = new QWidget(&inspector);
        inspector.setCode(code);
        inspector.setCodeVisible(true);
        inspector.resize(380, 230);
        inspector.show();
        NodeReport fine = failedNode();
        fine.node.name = NodeId("a");
        fine.state.kind = StateKind::Done;
        inspector.showNode(fine);
        auto* verbs = inspector.findChild<QWidget*>(QStringLiteral("failureVerbs"));
        QVERIFY(code->isVisible());
        QVERIFY(!verbs->isVisible());
        NodeReport failed = failedNode();
        failed.node.name = fine.node.name;
        failed.task->detail = QStringLiteral("Traceback (most recent call last):\n"
                                             "  File \"nodes/analyze.py\", line 2, in node\n"
                                             "    x()\n"
                                             "KeyError: 'wing'");
        inspector.showNode(failed);
        QVERIFY(!code->isVisible());
        QVERIFY(verbs->isVisible());
        QVERIFY(inspector.findChild<QTreeWidget*>(QStringLiteral("failureFrames"))->isVisible());
        const auto bottom = [&] { return verbs->mapTo(&inspector, QPoint(0, verbs->height())).y(); };
        QTRY_VERIFY(bottom() > 150 && bottom() <= inspector.height());
        inspector.setCodeVisible(true); // the file was read again
        QVERIFY(!code->isVisible());
        inspector.showNode(fine);
        QVERIFY(code->isVisible());
    }

    void theFenceOfTheMarkdownHolds()
    {
        NodeInspector inspector;
        inspector.show(failedNode());
        const QString markdown = inspector.findChild<FailureCard*>()->asMarkdown();
        QVERIFY2(markdown.contains(QStringLiteral("\n````\nTraceback:")), qPrintable(markdown));
        QVERIFY2(markdown.endsWith(QStringLiteral("\n````\n")), qPrintable(markdown));
    }

    void aNodeThatDidNotFailShowsItsProgram()
    {
        NodeReport report;
        report.node.name = NodeId("incrementer");
        report.node.kind = "jq";
        report.node.settings.set("jq", Value("{value: (.value + 1)}"));
        report.state.kind = StateKind::Done;
        NodeInspector inspector;
        inspector.show(failedNode());
        inspector.show(report);
        static_cast<QWidget&>(inspector).show();
        QVERIFY(!inspector.findChild<QWidget*>(QStringLiteral("nodeFailure"))->isVisible());
        QCOMPARE(inspector.findChild<QPlainTextEdit*>(QStringLiteral("nodeCode"))->toPlainText(),
                 QStringLiteral("{value: (.value + 1)}"));
        inspector.clear();
        QVERIFY(!inspector.findChild<QPlainTextEdit*>(QStringLiteral("nodeCode"))->isVisible());
    }
};

SG_WINDOW_TEST(TestNodeInspector)
#include "tst_node_inspector.moc"
