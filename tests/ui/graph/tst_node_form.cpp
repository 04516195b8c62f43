// The fields of a node: each is a step of the document, says what the file says, and tells what cannot be.

#include "tests/ui/graph/form_fields.h"
#include "ui/graph/forms/node_form.h"
#include "ui/graph/forms/setting_rows.h"

#include <QAbstractItemView>
#include <QToolButton>
#include <QWheelEvent>

using namespace sg;
using namespace sg::ui;
using namespace sg::test;

class TestNodeForm : public QObject {
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
        row("secrets", "python", { QStringLiteral("Secrets"), QStringLiteral("github, npm-token") },
            R"("secrets":["github","npm-token"])");
        row("other keys", "python", { QStringLiteral("Other keys"), QStringLiteral(R"({"rollback": true})") },
            R"("rollback":true)");
        row("question by program", "human", { QStringLiteral("Made by (jq)"), QStringLiteral(".rows") },
            R"("jq":".rows")");
        row("no channel read", "jq", { QStringLiteral("Reads"), QStringLiteral("[]") }, R"("reads":[])");
        row("no input", "jq", { QStringLiteral("Input"), QStringLiteral("[]") }, R"("input":[])");
        row("dataset by channel", "dataset", { QStringLiteral("or named in"), QStringLiteral("rows") },
            R"("from":"rows")");
        row("model", "llm", { QStringLiteral("Model"), QStringLiteral("llama3.2") }, R"("model":"llama3.2")");
        row("key of a model", "llm", { QStringLiteral("Key"), QStringLiteral("openai-key") },
            R"("key":"openai-key")");
        row("a tool that is offered", "agent", { QStringLiteral("Offer code_sandbox"), QStringLiteral("on") },
            R"("tools":["code_sandbox"])");
        row("tools that ask", "agent",
            { QStringLiteral("Offer code_sandbox"), QStringLiteral("on"),
              QStringLiteral("Whether a person looks at calls of code_sandbox"),
              QStringLiteral("asks always") },
            R"("review":{"tools":{"code_sandbox":true}})");
        row("tools that do not ask", "agent",
            { QStringLiteral("Offer code_sandbox"), QStringLiteral("on"),
              QStringLiteral("Whether a person looks at calls of code_sandbox"),
              QStringLiteral("asks always"),
              QStringLiteral("Whether a person looks at calls of code_sandbox"),
              QStringLiteral("asks never") },
            R"("tools":["code_sandbox"]})");
        row("budget", "agent",
            { QStringLiteral("Turns"), QStringLiteral("5"), QStringLiteral("Cost, US dollars"),
              QStringLiteral("0.5"), QStringLiteral("Used up"), QStringLiteral("ends with") },
            R"("budget":{"turns":5,"cost":0.5,"then":"end"})");
        row("permissions", "agent",
            { QStringLiteral("Datasets"), QStringLiteral("penguins.csv"), QStringLiteral("Hosts"),
              QStringLiteral("[]") },
            R"("permissions":{"datasets":["penguins.csv"],"hosts":[]})");
        row("answer at once", "llm", { QStringLiteral("Answer in one piece"), QStringLiteral("on") },
            R"("in_one_piece":true)");
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

    // The inspector scrolls up and down alone: what is wider than it would be cut.
    void everyFormFitsANarrowInspector_data()
    {
        QTest::addColumn<QString>("kind");
        for (const graph::NodeKind& kind : graph::nodeKinds())
            QTest::newRow(std::string(kind.id).c_str()) << QString::fromStdString(std::string(kind.id));
    }
    void everyFormFitsANarrowInspector()
    {
        QFETCH(QString, kind);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith(qPrintable(kind)));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.findChild<QToolButton*>(QStringLiteral("nodePolicies"))->click();
        form.show();
        if (kind == QLatin1String("agent"))
            QVERIFY(set(form, QStringLiteral("Whether a person looks at calls of code_sandbox"),
                        QStringLiteral("asks when")));
        const int least = form.minimumSizeHint().width();
        QString widest;
        for (QWidget* field : form.findChildren<QWidget*>())
            if (!field->isHidden() && field->minimumSizeHint().width() > 180)
                widest += field->accessibleName() + QLatin1Char(' ')
                    + QString::number(field->minimumSizeHint().width()) + QStringLiteral("; ");
        QVERIFY2(least <= 280, qPrintable(QStringLiteral("%1: %2").arg(least).arg(widest)));
    }

    // A kind of node needs no field of its own: each type of setting has one.
    void everyTypeOfSettingHasItsField_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("wrong"); // typed, it is refused or told; empty: nothing is
        const auto row = [](const char* name, graph::SettingType type, const char* text, const char* expected,
                            const char* wrong) {
            QTest::newRow(name) << static_cast<int>(type) << QString::fromLatin1(text)
                                << QString::fromLatin1(expected) << QString::fromLatin1(wrong);
        };
        using Type = graph::SettingType;
        row("text", Type::Text, "x", R"("key":"x")", "");
        row("long text", Type::LongText, "x", R"("key":"x")", "");
        row("any", Type::TextOrValue, "x", R"("key":"x")", "");
        row("program", Type::Program, ".x", R"("key":".x")", "");
        row("channel", Type::ChannelName, "rows", R"("key":"rows")", "");
        row("whole number", Type::Count, "3", R"("key":3)", "1.5");
        row("number", Type::Number, "0.5", R"("key":0.5)", "11");
        row("seconds", Type::Seconds, "2.5", R"("key":2.5)", "-1");
        row("flag", Type::Flag, "on", R"("key":true)", "");
        row("word", Type::Word, "The second", R"("key":"b")", "");
        row("names", Type::Names, "x, y", R"("key":["x","y"])", "");
        row("no names", Type::Names, "[]", R"("key":[])", "");
        row("channels", Type::ChannelNames, "rows", R"("key":["rows"])", "cols");
        row("nodes", Type::NodeNames, "b", R"("key":["b"])", "c");
        row("secret", Type::Secret, "token", R"("key":"token")", "");
        row("secrets", Type::Secrets, "token", R"("key":["token"])", "1x");
        row("packages", Type::Packages, "rich", R"("key":["rich"])", "");
        row("JSON", Type::Json, R"([{"type": 1}])", R"("key":[{"type":1}])", "{");
    }
    void everyTypeOfSettingHasItsField()
    {
        QFETCH(int, type);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QFETCH(QString, wrong);
        static constexpr std::array kWords{ graph::SettingWord{ "a", "The first", "" },
                                            graph::SettingWord{ "b", "The second", "" } };
        const graph::NodeSetting setting{ .key = "key",
                                          .label = "Key",
                                          .hint = "as usual",
                                          .help = "What it is.",
                                          .type = static_cast<graph::SettingType>(type),
                                          .words = kWords,
                                          .most = 10 };
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graphWith("human"));
        const QString before = saved(document);
        const NodeId node("a");
        BoundRows rows(document);
        addSettingRow(rows, document, node, setting);
        connect(&document, &GraphDocument::graphEdited, &rows, &BoundRows::fill);
        rows.fill();
        rows.show();
        QVERIFY(set(rows, QStringLiteral("Key"), text));
        QVERIFY2(saved(document).contains(expected), qPrintable(saved(document)));
        QWidget* field = fieldOf(rows, QStringLiteral("Key"));
        QCOMPARE(field->toolTip(), QStringLiteral("What it is."));
        QVERIFY(field->accessibleDescription().isEmpty());
        const bool isFit = graph::isFit(setting, *document.graph().findNode(node)->settings.find("key"));
        QVERIFY(isFit);
        if (!wrong.isEmpty()) {
            QVERIFY(set(rows, QStringLiteral("Key"), wrong));
            QVERIFY(!field->accessibleDescription().isEmpty());
        }
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
        // The part that was understood on the way there stays; the whole was not taken.
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
};

SG_WINDOW_TEST(TestNodeForm)
#include "tst_node_form.moc"
