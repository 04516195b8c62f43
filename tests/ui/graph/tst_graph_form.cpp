// The fields of the graph itself: its schemas, its runs, its sessions.

#include "tests/ui/graph/form_fields.h"
#include "ui/graph/forms/fold_button.h"
#include "ui/graph/forms/graph_form.h"

using namespace sg;
using namespace sg::ui;
using namespace sg::test;

class TestGraphForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    // The inspector scrolls up and down alone: what is wider than it would be cut.
    void fitsANarrowInspector()
    {
        GraphDocument document;
        document.setEditable(true);
        graph::Graph graph = graphWith("python");
        graph.channels.back().type = graph::ChannelType::Topic; // has a second row of words
        document.setGraph(graph);
        GraphForm form(document);
        form.show();
        for (FoldButton* fold : form.findChildren<FoldButton*>())
            fold->click();
        const int least = form.minimumSizeHint().width();
        QString widest;
        for (QWidget* field : form.findChildren<QWidget*>())
            if (!field->isHidden() && field->minimumSizeHint().width() > 180)
                widest += field->accessibleName() + QLatin1Char(' ')
                    + QString::number(field->minimumSizeHint().width()) + QStringLiteral("; ");
        QVERIFY2(least <= 304, qPrintable(QStringLiteral("%1: %2").arg(least).arg(widest)));
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
        row("folders of modules", { QStringLiteral("Modules in"), QStringLiteral("lib, shared") },
            R"("python":["lib","shared"])");
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

SG_WINDOW_TEST(TestGraphForm)
#include "tst_graph_form.moc"
