// The inspector's fields: each is a step of the document, says what the file says, and tells what cannot be.

#include "core/graph/graph_file.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edge_form.h"
#include "ui/graph/fold_button.h"
#include "ui/graph/graph_document.h"
#include "ui/graph/graph_edits.h"
#include "ui/graph/graph_form.h"
#include "ui/graph/graph_scene.h"
#include "ui/graph/node_form.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

using namespace sg;
using namespace sg::ui;

namespace {

// As it is saved, without spaces: what lies where on a line is not the question.
QString saved(const GraphDocument& document)
{
    QString text = QString::fromStdString(graph::graphText(document.whole()));
    return text.remove(QLatin1Char('\n')).remove(QLatin1Char(' '));
}

// The field of that title that is not hidden; null: none.
QWidget* fieldOf(const QWidget& form, const QString& title)
{
    for (QWidget* field : form.findChildren<QWidget*>())
        if (field->accessibleName() == title && !field->isHidden())
            return field;
    return nullptr;
}

// Types a text, picks an entry by its beginning, or clicks where `text` is "on" or "off".
bool set(const QWidget& form, const QString& title, const QString& text)
{
    QWidget* field = fieldOf(form, title);
    if (auto* line = qobject_cast<QLineEdit*>(field)) {
        line->selectAll();
        text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
        return true;
    }
    if (auto* code = qobject_cast<QPlainTextEdit*>(field)) {
        code->setPlainText(text);
        return true;
    }
    if (auto* flag = qobject_cast<QCheckBox*>(field)) {
        if (flag->isChecked() != (text == QLatin1String("on")))
            flag->click();
        return true;
    }
    if (auto* choice = qobject_cast<QComboBox*>(field)) {
        const int index = choice->findText(text, Qt::MatchStartsWith);
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
        return index >= 0;
    }
    return false;
}

graph::Graph graphWith(const char* kind)
{
    graph::Graph graph = test::graphFromText("start>a>b>end");
    graph.nodes[0].kind = kind;
    graph.channels.push_back({});
    graph.channels.back().name = "rows";
    if (graph.nodes[0].kind == "subgraph")
        graph.nodes[0].subgraph = std::make_shared<graph::Graph>(test::graphFromText("start>x>end"));
    return graph;
}

} // namespace

class TestForms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void fieldsOfANodeAreWritten_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("typed"); // title, text, title, text, …
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* kind, const QStringList& typed,
                            const char* expected) {
            QTest::newRow(name) << QString::fromLatin1(kind) << typed << QString::fromUtf8(expected);
        };
        const QString attempts = QStringLiteral("Attempts");
        const QString five = QStringLiteral("5");
        row("time limit", "jq", { QStringLiteral("Time limit"), QStringLiteral("2.5") },
            R"("timeout_s":2.5)");
        row("attempts", "jq", { attempts, five }, R"("retry":{"max_attempts":5})");
        row("waits", "jq",
            { attempts, five, QStringLiteral("First wait"), QStringLiteral("1"), QStringLiteral("Times"),
              QStringLiteral("3"), QStringLiteral("Longest wait"), QStringLiteral("60") },
            R"("retry":{"max_attempts":5,"initial_interval":1,"backoff_factor":3,"max_interval":60})");
        row("jitter", "jq", { attempts, five, QStringLiteral("Jitter"), QStringLiteral("off") },
            R"("jitter":false)");
        row("errors", "jq",
            { attempts, five, QStringLiteral("Only after"), QStringLiteral("OSError, ValueError") },
            R"("retry_on":["OSError","ValueError"])");
        row("kept between attempts", "python",
            { attempts, five, QStringLiteral("Before the next"), QStringLiteral("keep") },
            R"("on_retry":"keep")");
        row("handler, jq", "jq",
            { QStringLiteral("When it failed"), QStringLiteral("run a jq"), QStringLiteral("Program (jq)"),
              QStringLiteral("{rows: 1}") },
            R"("error_handler":{"jq":"{rows:1}"})");
        row("handler, Python", "python",
            { QStringLiteral("When it failed"), QStringLiteral("call"), QStringLiteral("Its function"),
              QStringLiteral("mend") },
            R"("error_handler":{"file":"nodes/a.py","function":"mend"})");
        row("result", "jq",
            { QStringLiteral("Result"), QStringLiteral("on"), QStringLiteral("Kept for"),
              QStringLiteral("90") },
            R"("cache":{"ttl":90})");
        row("turn", "jq", { QStringLiteral("Turn"), QStringLiteral("on") }, R"("defer":true)");
        row("ends", "python", { QStringLiteral("May go to"), QStringLiteral("b, __end__") },
            R"("ends":["b","__end__"])");
        row("input", "jq", { QStringLiteral("Input"), QStringLiteral("rows") }, R"("input":["rows"])");
        row("calls", "subgraph", { QStringLiteral("Runs"), QStringLiteral("3") }, R"("calls":3)");
        row("packages", "python", { QStringLiteral("Packages"), QStringLiteral("networkx==3.3\nrich") },
            R"("requirements":["networkx==3.3","rich"])");
        row("other keys", "python", { QStringLiteral("Other keys"), QStringLiteral(R"({"rollback": true})") },
            R"("rollback":true)");
        row("question by program", "human", { QStringLiteral("Made by (jq)"), QStringLiteral(".rows") },
            R"("jq":".rows")");
        row("no channel read", "jq", { QStringLiteral("Reads"), QStringLiteral("[]") }, R"("reads":[])");
        row("no input", "jq", { QStringLiteral("Input"), QStringLiteral("[]") }, R"("input":[])");
        row("dataset by channel", "dataset", { QStringLiteral("or named in"), QStringLiteral("rows") },
            R"("from":"rows")");
    }
    void fieldsOfANodeAreWritten()
    {
        QFETCH(QString, kind);
        QFETCH(QStringList, typed);
        QFETCH(QString, expected);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith(qPrintable(kind)));
        const QString before = saved(document);
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.findChild<QToolButton*>(QStringLiteral("nodePolicies"))->click();
        form.show();
        for (qsizetype i = 0; i + 1 < typed.size(); i += 2)
            QVERIFY2(set(form, typed[i], typed[i + 1]), qPrintable(typed[i]));
        const QString after = saved(document);
        QVERIFY2(after.contains(expected), qPrintable(after));
        QVERIFY(graph::parseGraph(graph::graphText(document.whole()))->problems.empty());
        while (document.steps().canUndo())
            document.steps().undo();
        QCOMPARE(saved(document), before);
    }

    void everyRetryRuleHasItsFields()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith("jq"));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.findChild<QToolButton*>(QStringLiteral("nodePolicies"))->click();
        form.show();
        QVERIFY(!fieldOf(form, QStringLiteral("Retry rule"))); // there is none
        QVERIFY(set(form, QStringLiteral("Attempts"), QStringLiteral("5")));
        QVERIFY(set(form, QStringLiteral("Retry rule"), QStringLiteral("Add")));
        QVERIFY(set(form, QStringLiteral("Only after"), QStringLiteral("OSError")));
        QVERIFY(set(form, QStringLiteral("Attempts"), QStringLiteral("7")));
        const auto rules = [&] { return document.graph().nodes[0].retry; };
        QCOMPARE(rules().size(), std::size_t(2));
        QCOMPARE(rules()[0].maxAttempts, 5);
        QVERIFY(rules()[0].retryOn.empty());
        QCOMPARE(rules()[1].maxAttempts, 7);
        QCOMPARE(rules()[1].retryOn, std::vector<std::string>{ "OSError" });
        QVERIFY(set(form, QStringLiteral("Retry rule"), QStringLiteral("1:")));
        auto* attempts = qobject_cast<QLineEdit*>(fieldOf(form, QStringLiteral("Attempts")));
        QCOMPARE(attempts->text(), QStringLiteral("5"));
        attempts->setFocus();
        QVERIFY(set(form, QStringLiteral("Attempts"), QString())); // on the way to another number
        QCOMPARE(rules()[0].maxAttempts, 5);
        QVERIFY(set(form, QStringLiteral("Attempts"), QStringLiteral("1")));
        QCOMPARE(rules()[0].maxAttempts, 1); // a rule that tries once
        QVERIFY(set(form, QStringLiteral("Attempts"), QString()));
        QTest::keyClick(attempts, Qt::Key_Return);
        QCOMPARE(rules()[0].maxAttempts, graph::RetryPolicy().maxAttempts);
        form.findChild<QToolButton*>(QStringLiteral("removeRetryRule"))->click(); // the other stays
        QCOMPARE(rules().size(), std::size_t(1));
        QCOMPARE(rules()[0].maxAttempts, 7);
        while (document.steps().canUndo())
            document.steps().undo();
        QVERIFY(rules().empty());
    }

    void aKindIsChangedInOneStep_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("kept");
        const auto row = [](const char* name, const char* from, const char* settings, const char* to,
                            const char* kept) {
            QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(settings)
                                << QString::fromLatin1(to) << QString::fromLatin1(kept);
        };
        row("what any kind knows", "python", "file timeout_s ends on_retry other", "jq tr",
            "timeout_s ends other jq");
        row("what both know", "human", "question channel jq", "Dataset", "channel dataset");
        row("a program is no question", "jq", "jq", "Human", "question");
        row("a subgraph gets an inside", "jq", "jq other", "Subgraph", "other");
    }
    void aKindIsChangedInOneStep()
    {
        QFETCH(QString, from);
        QFETCH(QString, settings);
        QFETCH(QString, to);
        QFETCH(QString, kept);
        graph::Graph graph = graphWith(qPrintable(from));
        graph.nodes[0].settings = {};
        for (const QString& key : settings.split(QLatin1Char(' ')))
            graph.nodes[0].settings.set(key.toStdString(), Value("x"));
        graph.nodes[0].defer = true;
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graph);
        const QString before = saved(document);
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        QVERIFY(set(form, QStringLiteral("Kind"), to));
        const graph::Node& node = document.graph().nodes[0];
        QVERIFY(to.toLower().startsWith(QString::fromStdString(node.kind)));
        QStringList keys;
        for (const auto& [key, value] : node.settings)
            keys << QString::fromStdString(key.asString());
        QCOMPARE(keys.join(QLatin1Char(' ')), kept);
        QVERIFY(node.defer);
        QCOMPARE(node.subgraph != nullptr, node.kind == "subgraph");
        QCOMPARE(document.graph().edges.size(), graph.edges.size());
        QCOMPARE(document.steps().count(), 1);
        document.steps().undo();
        QCOMPARE(saved(document), before);
    }

    void whatIsSetIsUnfoldedAndShown()
    {
        graph::Graph graph = graphWith("python");
        graph.nodes[0].cache = graph::CachePolicy{ 30 };
        GraphDocument document;
        document.setGraph(graph);
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        auto* age = qobject_cast<QLineEdit*>(fieldOf(form, QStringLiteral("Kept for")));
        QVERIFY(age && age->isVisible());
        QCOMPARE(age->text(), QStringLiteral("30"));
        QVERIFY(!fieldOf(form, QStringLiteral("First wait")));
        // The graph keeps nothing as it is: the field says so.
        QVERIFY(!fieldOf(form, QStringLiteral("Result"))->accessibleDescription().isEmpty());
    }

    void whatCannotBeIsToldAndNotWritten_data()
    {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("text");
        QTest::newRow("no number") << QStringLiteral("Time limit") << QStringLiteral("soon");
        QTest::newRow("too much") << QStringLiteral("Time limit") << QStringLiteral("99999999");
        QTest::newRow("negative") << QStringLiteral("Time limit") << QStringLiteral("-1");
        QTest::newRow("half a try") << QStringLiteral("Attempts") << QStringLiteral("1.5");
        QTest::newRow("no JSON") << QStringLiteral("Other keys") << QStringLiteral("{");
        QTest::newRow("no object") << QStringLiteral("Other keys") << QStringLiteral("[1]");
    }
    void whatCannotBeIsToldAndNotWritten()
    {
        QFETCH(QString, title);
        QFETCH(QString, text);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith("python"));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.findChild<QToolButton*>(QStringLiteral("nodePolicies"))->click();
        form.show();
        QVERIFY(set(form, title, text));
        QVERIFY(!fieldOf(form, title)->accessibleDescription().isEmpty());
        // What was understood on the way there stays; the whole was not taken.
        const graph::Node& node = document.graph().nodes[0];
        const Value* limit = node.settings.find("timeout_s");
        QVERIFY(!limit || (limit->asDouble() > 0 && limit->asDouble() < 2'592'001));
        QVERIFY(node.retry.empty() || node.retry.front().maxAttempts == 1);
        QVERIFY(!saved(document).contains(QStringLiteral("[1]")));
    }

    void anotherNodeShowsItsOwnFields()
    {
        GraphDocument document;
        document.setEditable(true);
        graph::Graph graph = graphWith("python");
        graph.nodes[0].settings.set("timeout_s", Value(4));
        document.setGraph(graph);
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        QVERIFY(set(form, QStringLiteral("Time limit"), QStringLiteral("x")));
        form.setNode(NodeId("b"));
        auto* limit = qobject_cast<QLineEdit*>(fieldOf(form, QStringLiteral("Time limit")));
        QVERIFY(limit);
        QVERIFY(limit->text().isEmpty());
        QVERIFY(limit->accessibleDescription().isEmpty());
    }

    void anEdgeLeadsElsewhere()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a>b>end, a+b>c>end"));
        GraphScene scene(document);
        EdgeForm form(document);
        form.show();
        form.setEdge(document.drawing().edges[1]); // a → b
        auto* target = qobject_cast<QComboBox*>(fieldOf(form, QStringLiteral("Leads to")));
        QVERIFY(target);
        QCOMPARE(target->currentText(), QStringLiteral("b"));
        target->showPopup();
        target->setCurrentIndex(target->findText(QStringLiteral("c")));
        Q_EMIT target->activated(target->currentIndex());
        target->hidePopup();
        QCOMPARE(document.graph().edges[1].to, NodeId("c"));
        QVERIFY(!fieldOf(form, QStringLiteral("Waits for")));
    }

    void aWaitingEdgeKnowsWhatItWaitsFor()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, start>b, start>d, a+b>c>end"));
        EdgeForm form(document);
        form.show();
        const auto& edges = document.drawing().edges;
        const auto waiting =
            std::ranges::find_if(edges, [](const DrawnEdge& edge) { return edge.join != kNoJoin; });
        QVERIFY(waiting != edges.end());
        form.setEdge(*waiting);
        QVERIFY(set(form, QStringLiteral("Waits for"), QStringLiteral("a, b, d")));
        const std::size_t part = waiting->part;
        QCOMPARE(document.graph().edges[part].from.size(), std::size_t(3));
        QVERIFY(set(form, QStringLiteral("Waits for"), QStringLiteral("a, nobody")));
        QVERIFY(fieldOf(form, QStringLiteral("Waits for"))
                    ->accessibleDescription()
                    .contains(QStringLiteral("nobody")));
    }

    void aKindIsPickedFromTheOpenedListOnly()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith("jq"));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        const auto kinds = [&form] { return form.findChild<QComboBox*>(QStringLiteral("nodeKind")); };
        const int before = kinds()->currentIndex();
        kinds()->setFocus();
        QWheelEvent wheel(QPointF(5, 5), kinds()->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120),
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(kinds(), &wheel);
        QVERIFY(!wheel.isAccepted()); // scrolls what is around
        for (const char* letter : { "p", "h", "s" })
            QTest::keyClicks(kinds(), QString::fromLatin1(letter));
        for (const Qt::Key key : { Qt::Key_Down, Qt::Key_Up, Qt::Key_End, Qt::Key_Home }) {
            QTest::keyClick(kinds(), key);
            QVERIFY(kinds()->view()->isVisible());
            kinds()->hidePopup();
        }
        QCOMPARE(kinds()->currentIndex(), before);
        QCOMPARE(document.graph().nodes[0].kind, std::string("jq"));
        QVERIFY(!document.isModified());
        QTest::keyClick(kinds(), Qt::Key_Return);
        QTest::keyClick(kinds()->view(), before > 0 ? Qt::Key_Up : Qt::Key_Down);
        QTest::keyClick(kinds()->view(), Qt::Key_Return);
        QVERIFY(document.graph().nodes[0].kind != "jq");
    }

    void aBranchIsWrittenInItsFields()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, a?yes>b, a?no>end, b>end"));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        QVERIFY(set(form, QStringLiteral("Outcome (jq)"), QStringLiteral(".go")));
        QVERIFY(saved(document).contains(QStringLiteral(R"("jq":".go")")));
        auto* label = qobject_cast<QLineEdit*>(fieldOf(form, QStringLiteral("Outcome that leads to b")));
        QVERIFY(label);
        label->setFocus();
        label->selectAll();
        QTest::keyClicks(label, QStringLiteral("sure"));
        QTest::keyClick(label, Qt::Key_Return);
        QCOMPARE(document.graph().branches[0].targets->front().first, std::string("sure"));
        label->selectAll();
        QTest::keyClicks(label, QStringLiteral("no")); // taken already
        QTest::keyClick(label, Qt::Key_Return);
        QCOMPARE(label->text(), QStringLiteral("sure"));
        QVERIFY(set(form, QStringLiteral("Decided by"), QStringLiteral("a Python")));
        QVERIFY(saved(document).contains(QStringLiteral(R"("function":"route")")));
        QVERIFY(!saved(document).contains(QStringLiteral(R"("jq":".go")")));
    }

    void theCurrentEdgeOutlivesARename()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, a?yes>b, a?no>end, b>end"));
        GraphScene scene(document);
        const auto& edges = document.drawing().edges;
        const auto yes = std::ranges::find(edges, std::string("yes"), &DrawnEdge::label);
        scene.setCurrentEdge(static_cast<std::size_t>(yes - edges.begin()));
        document.edit(QStringLiteral("Outcome"),
                      [](graph::Graph& graph) { setTargetLabel(graph, 0, 0, "sure"); });
        QVERIFY(scene.currentEdge() != kNoEdge);
        QCOMPARE(edges[scene.currentEdge()].label, std::string("sure"));
        document.edit(QStringLiteral("Remove"), [](graph::Graph& graph) { removeTarget(graph, 0, 0); });
        QCOMPARE(scene.currentEdge(), kNoEdge);
    }

    void fieldsOfTheGraphAreWritten_data()
    {
        QTest::addColumn<QStringList>("typed");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QStringList& typed, const char* expected) {
            QTest::newRow(name) << typed << QString::fromUtf8(expected);
        };
        row("input", { QStringLiteral("Input"), QStringLiteral("rows") }, R"("input":["rows"])");
        row("output", { QStringLiteral("Result"), QStringLiteral("rows") }, R"("output":["rows"])");
        row("steps", { QStringLiteral("Most steps"), QStringLiteral("50") }, R"("recursion_limit":50)");
        row("durability", { QStringLiteral("On disk"), QStringLiteral("when the run ends") },
            R"("durability":"exit")");
        row("cache", { QStringLiteral("Results"), QStringLiteral("on") }, R"("cache":true)");
        row("store",
            { QStringLiteral("Store"), QStringLiteral("on"), QStringLiteral("Items live"),
              QStringLiteral("10"), QStringLiteral("Reading"), QStringLiteral("off"),
              QStringLiteral("Tenant"), QStringLiteral("t") },
            R"("store":{"ttl":10,"refresh_on_read":false,"tenant":"t"})");
        row("image", { QStringLiteral("Image"), QStringLiteral("x/y") }, R"("image":"x/y")");
        row("packages", { QStringLiteral("Packages"), QStringLiteral("rich\nnumpy") },
            R"("requirements":["rich","numpy"])");
        row("packages of a file", { QStringLiteral("Packages"), QStringLiteral("-r needs.txt") },
            R"("requirements":"needs.txt")");
        row("modules", { QStringLiteral("Imported"), QStringLiteral("json") }, R"("preload":["json"])");
        row("own sessions", { QStringLiteral("On their own"), QStringLiteral("a") },
            R"("own_sessions":["a"])");
        row("idle", { QStringLiteral("Idle for"), QStringLiteral("60") }, R"("idle_timeout_s":60)");
        row("age", { QStringLiteral("Oldest"), QStringLiteral("600") }, R"("max_age_s":600)");
        row("pool",
            { QStringLiteral("Ready ahead"), QStringLiteral("2"), QStringLiteral("They wait"),
              QStringLiteral("paused") },
            R"("pool":2,"pool_state":"paused")");
        row("hosts", { QStringLiteral("Hosts"), QStringLiteral("api.test") }, R"("egress":["api.test"])");
        row("secrets", { QStringLiteral("Secrets"), QStringLiteral("KEY") }, R"("secrets":["KEY"])");
    }
    void fieldsOfTheGraphAreWritten()
    {
        QFETCH(QStringList, typed);
        QFETCH(QString, expected);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith("jq"));
        const QString before = saved(document);
        GraphForm form(document);
        form.show();
        for (auto* fold : form.findChildren<FoldButton*>())
            fold->click();
        for (qsizetype i = 0; i + 1 < typed.size(); i += 2)
            QVERIFY2(set(form, typed[i], typed[i + 1]), qPrintable(typed[i]));
        QVERIFY2(saved(document).contains(expected), qPrintable(saved(document)));
        while (document.steps().canUndo())
            document.steps().undo();
        QCOMPARE(saved(document), before);
    }
};

SG_WINDOW_TEST(TestForms)
#include "tst_forms.moc"
