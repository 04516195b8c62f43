// What is said about the selected node: its state, its failure with the traceback, its program.

#include "tests/support/window_style.h"
#include "ui/graph/panels/node_inspector.h"
#include "ui/widgets/time_format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>

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

    void theFenceOfTheMarkdownHolds()
    {
        NodeInspector inspector;
        inspector.show(failedNode());
        const QString markdown = inspector.failureAsMarkdown();
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
