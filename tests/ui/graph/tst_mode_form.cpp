// The execution mode as questions: each answer is one step and one line of the file.

#include "core/graph/graph_file.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/forms/mode_form.h"
#include "ui/widgets/choice_card.h"

#include <QLabel>
#include <QLineEdit>

using namespace sg;
using namespace sg::ui;

namespace {

struct Form {
    GraphDocument document;
    ModeForm form{ document };

    explicit Form(const graph::SandboxSettings& sandbox = {})
    {
        document.setEditable(true);
        graph::Graph graph = test::graphFromText("start>a>end");
        graph.sandbox = sandbox;
        document.setGraph(graph);
        form.resize(360, form.sizeHint().height());
        form.show();
    }
    ChoiceCard* card(const char* name)
    {
        for (ChoiceCard* card : form.findChildren<ChoiceCard*>())
            if (card->text() == QLatin1String(name))
                return card;
        return nullptr;
    }
    void choose(const char* name) { QTest::mouseClick(card(name), Qt::LeftButton); }
    [[nodiscard]] const graph::SandboxSettings& sandbox() const { return document.graph().sandbox; }
};

} // namespace

class TestModeForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Form form;
        form.choose("Disk");
        form.choose("Both");
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(form.form, QStringLiteral("mode-") + name)) > 20);
    }

    void aMoveElsewhereNamesWhatItLeavesBehind()
    {
        graph::SandboxSettings sandbox;
        sandbox.mode = "BIND_LOCAL";
        sandbox.requirements.lines = { "networkx" };
        sandbox.limits.memoryMb = 512;
        Form form(sandbox);
        const auto said = [&form] {
            return form.form.findChild<QLabel*>(QStringLiteral("leftBehind"))->text();
        };
        QVERIFY2(
            said().startsWith(QStringLiteral("A move elsewhere leaves behind: the session's folder on this "
                                             "disk, local data, packages of its own, limits of memory")),
            qPrintable(said()));
        form.choose("E2B or OpenKruise");
        QCOMPARE(form.sandbox().backend, std::string("e2b"));
        QVERIFY2(said().startsWith(QStringLiteral("Elsewhere there is nothing for: ")), qPrintable(said()));
        auto* place = [&form]() -> QLineEdit* {
            for (QLineEdit* line : form.form.findChildren<QLineEdit*>())
                if (line->accessibleName() == QLatin1String("Connection"))
                    return line;
            return nullptr;
        }();
        QVERIFY(place != nullptr && place->isVisible());
        QTest::keyClicks(place, QStringLiteral("cloud"));
        QTest::keyClick(place, Qt::Key_Return);
        QCOMPARE(form.sandbox().connection, std::string("cloud"));
        form.choose("Docker");
        QVERIFY(!place->isVisible());
        QVERIFY(form.sandbox().connection.empty());
        form.document.setGraph(test::graphFromText("start>a>end"));
        QVERIFY2(said().startsWith(QStringLiteral("All of it can move elsewhere")), qPrintable(said()));
    }

    void anAnswerIsOneStepAndWhatIsBuiltInNoLine()
    {
        Form form;
        const std::string before = graph::graphText(form.document.graph());
        QVERIFY(form.card("Memory")->isChecked());
        QVERIFY(form.card("Automatic")->isChecked());
        form.choose("Disk");
        QCOMPARE(form.sandbox().storage, std::string("BIND"));
        QCOMPARE(form.document.steps().count(), 1);
        form.choose("Local");
        QCOMPARE(form.sandbox().datasets, std::string("LOCAL_RO"));
        form.choose("Run");
        form.choose("Docker");
        QCOMPARE(form.sandbox().scope, std::string("run"));
        QCOMPARE(form.sandbox().backend, std::string("docker"));
        for (const char* name : { "Memory", "None", "Thread", "Automatic" })
            form.choose(name);
        QCOMPARE(graph::graphText(form.document.graph()), before);
        form.document.steps().undo();
        QVERIFY(form.card("Docker")->isChecked()); // fields follow the document
    }

    void aModeInOneWordIsReadAndThenWrittenAsTwo()
    {
        graph::SandboxSettings sandbox;
        sandbox.mode = "bind_local";
        Form form(sandbox);
        QVERIFY(form.card("Disk")->isChecked());
        QVERIFY(form.card("Local")->isChecked());
        form.choose("Fetched");
        QVERIFY(form.sandbox().mode.empty());
        QCOMPARE(form.sandbox().storage, std::string("BIND"));
        QCOMPARE(form.sandbox().datasets, std::string("API"));
    }

    void limitsAreCheckedBeforeTheyAreTaken()
    {
        Form form;
        QLineEdit* memory = nullptr;
        for (QLineEdit* line : form.form.findChildren<QLineEdit*>())
            if (line->accessibleName() == QLatin1String("Memory"))
                memory = line;
        QVERIFY(memory);
        const auto type = [&](const char* text) {
            memory->setFocus();
            memory->selectAll();
            QTest::keyClicks(memory, QLatin1String(text));
            QTest::keyClick(memory, Qt::Key_Return);
        };
        type("512");
        QCOMPARE(form.sandbox().limits.memoryMb, std::optional<std::int64_t>(512));
        for (const char* bad : { "x", "1.5", "7", "1e99" }) {
            type(bad);
            QVERIFY2(!memory->accessibleDescription().isEmpty(), bad);
            QCOMPARE(form.sandbox().limits.memoryMb, std::optional<std::int64_t>(512));
        }
        memory->clear();
        QTest::keyClick(memory, Qt::Key_Return);
        QVERIFY(!form.sandbox().limits.memoryMb);
        QVERIFY(memory->accessibleDescription().isEmpty());
    }

    void aNodeThatDoesNotFitIsNamed()
    {
        graph::Graph graph = test::graphFromText("start>a>end");
        QVERIFY(misfitOf(graph).isEmpty());
        graph.nodes[0].kind = "dataset";
        QVERIFY(misfitOf(graph).startsWith(QLatin1String("a ")));
        graph.sandbox.mode = "TMPFS_HYBRID";
        QVERIFY(misfitOf(graph).isEmpty());
    }

    void theSummaryNamesWhatSandboxesReach()
    {
        const auto tells = [](const Form& form, const char* words) {
            for (const QLabel* label : form.form.findChildren<QLabel*>())
                if (label->text().contains(QLatin1String(words)))
                    return true;
            return false;
        };
        const Form closed;
        QVERIFY(tells(closed, "no network"));
        graph::SandboxSettings sandbox;
        sandbox.egress = { "api.test", "*.example.com:443" };
        sandbox.datasets = "API";
        const Form open(sandbox);
        QVERIFY(!tells(open, "no network"));
        QVERIFY(tells(open, "api.test, *.example.com:443"));
        QVERIFY(tells(open, "fetches data"));
        sandbox.egress = { "a.test", "b.test", "c.test", "d.test", "e.test" };
        QVERIFY(tells(Form(sandbox), "c.test and 2 more"));
    }
};

SG_WINDOW_TEST(TestModeForm)
#include "tst_mode_form.moc"
