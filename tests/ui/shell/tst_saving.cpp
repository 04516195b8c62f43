// Typed text that is not taken yet, and edits that wait for one save, are there when the window saves, runs
// or closes.

#include "core/graph/graph_file.h"
#include "tests/support/example_project.h"
#include "tests/support/window_test.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/panels/inspector.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/run_bar.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTreeView>

#include <filesystem>

using namespace sg;
using namespace sg::ui;

namespace {

const char* const kGraph = R"({
  "format": 1,
  "name": "g",
  "recursion_limit": 30,
  "state": {
    "value": { "type": "last_value" }
  },
  "nodes": [
    { "name": "one", "kind": "jq", "jq": "{value: 1}" }
  ],
  "edges": [
    ["__start__", "one"],
    ["one", "__end__"]
  ]
}
)";

struct Open {
    Open()
    {
        folder.write("g.graph.json", kGraph);
        window.show();
        QSignalSpy ready(&window, &MainWindow::ready);
        window.openProject(QString::fromStdString((folder / "g.graph.json").string()));
        isReady = QTest::qWaitFor([&] { return !ready.isEmpty() && !bar.thread().isEmpty(); }, 20'000);
        window.activateWindow();
        isReady = isReady && QTest::qWaitFor([this] { return window.isActiveWindow(); });
    }
    // A field of the graph's form, with the keys.
    QLineEdit* field(const char* title)
    {
        auto* inspector = window.findChild<Inspector*>();
        inspector->showPart("/recursion_limit");
        for (auto* line : inspector->findChildren<QLineEdit*>())
            if (line->accessibleName() == QLatin1String(title)) {
                line->setFocus();
                return QTest::qWaitFor([line] { return line->hasFocus(); }) ? line : nullptr;
            }
        return nullptr;
    }
    static void type(QLineEdit* line, const char* words)
    {
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Backspace);
        QTest::keyClicks(line, QLatin1String(words));
    }
    [[nodiscard]] std::optional<int> limit() const
    {
        const auto file = graph::loadGraph(folder / "g.graph.json");
        return file ? file->graph.recursionLimit : std::optional<int>();
    }
    [[nodiscard]] QString told() const
    {
        QStringList words;
        for (const auto* banner : window.findChildren<Banner*>())
            if (banner->isVisible())
                for (const auto* label : banner->findChildren<QLabel*>())
                    words << label->text();
        return words.join(QLatin1Char(' '));
    }
    [[nodiscard]] QPushButton* button(const char* words) const
    {
        for (auto* each : window.findChildren<QPushButton*>())
            if (each->isVisible() && each->text() == QLatin1String(words))
                return each;
        return nullptr;
    }
    QMessageBox* question() { return window.findChild<QMessageBox*>(); }

    test::TempDir folder;
    MainWindow window;
    RunBar& bar = *window.findChild<RunBar*>();
    bool isReady = false;
};

} // namespace

class TestSaving : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("saving"));
    }

    void theModeIsTheOneThatIsChosen()
    {
        Open open;
        QVERIFY(open.isReady);
        const auto mode = [&] {
            QString name;
            for (const auto* button : open.bar.findChildren<QAbstractButton*>())
                if (button->accessibleName().startsWith(QLatin1String("Mode ")))
                    name = button->accessibleName();
            return name;
        };
        QCOMPARE(mode(), QStringLiteral("Mode Memory · No data"));
        auto& document = open.window.findChild<CanvasPanel*>()->document();
        document.edit(QStringLiteral("Disk"), [](graph::Graph& graph) { graph.sandbox.storage = "BIND"; });
        QTRY_COMPARE(mode(), QStringLiteral("Mode Disk · No data"));
        document.steps().undo();
        QTRY_COMPARE(mode(), QStringLiteral("Mode Memory · No data"));
    }

    void anEmptiedFieldIsSaved()
    {
        Open open;
        QVERIFY(open.isReady);
        QLineEdit* field = open.field("Most steps");
        QVERIFY(field != nullptr);
        QCOMPARE(field->text(), QStringLiteral("30"));
        QCOMPARE(open.limit(), std::optional(30));
        Open::type(field, "");
        QTest::keyClick(field, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!open.limit());
        QTRY_VERIFY(!open.window.isWindowModified());
        QVERIFY(field->hasFocus()); // it is gone on with
        QTest::keyClicks(field, QStringLiteral("7"));
        QTest::keyClick(field, Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE(open.limit(), std::optional(7));
    }

    void anEmptiedFieldIsRun()
    {
        Open open;
        QVERIFY(open.isReady);
        QLineEdit* field = open.field("Most steps");
        Open::type(field, "");
        QSignalSpy started(&clients(open).runs, &RunsClient::runStarted);
        open.bar.runAction()->trigger();
        QTRY_COMPARE(started.count(), 1);
        QVERIFY(!open.limit());
    }

    void anEmptiedFieldKeepsTheWindowOpen()
    {
        Open open;
        QVERIFY(open.isReady);
        Open::type(open.field("Most steps"), "");
        QVERIFY(!open.window.close());
        QVERIFY(open.question() != nullptr);
        open.question()->button(QMessageBox::Save)->click();
        QTRY_VERIFY(!open.window.isVisible());
        QVERIFY(!open.limit());
    }

    void whatAFieldRefusesIsTold()
    {
        Open open;
        QVERIFY(open.isReady);
        QLineEdit* field = open.field("Most steps");
        Open::type(field, "many");
        QTest::keyClick(field, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY2(open.told().contains(QLatin1String("Most steps")), qPrintable(open.told()));
        QVERIFY2(open.told().contains(QLatin1String("whole number")), qPrintable(open.told()));
        QCOMPARE(field->text(), QStringLiteral("many"));
        QVERIFY(!open.window.close());
        QVERIFY(open.window.isVisible());
        QVERIFY(open.question() == nullptr);
        QTRY_VERIFY(open.button("Close without it") != nullptr);
        open.button("Close without it")->click();
        QTRY_VERIFY(!open.window.isVisible());
        QCOMPARE(open.limit(), std::optional(30));
    }

    void aRunWaitsForWhatAFieldRefuses()
    {
        Open open;
        QVERIFY(open.isReady);
        Open::type(open.field("Most steps"), "-1");
        QSignalSpy started(&clients(open).runs, &RunsClient::runStarted);
        open.bar.runAction()->trigger();
        QTest::qWait(50);
        QVERIFY(started.isEmpty());
        QTRY_VERIFY(open.button("Run without it") != nullptr);
        open.button("Run without it")->click();
        QTRY_COMPARE(started.count(), 1);
    }

    // Ctrl+S while the save of a closing window is going on: both are done.
    void aSaveDuringACloseLeavesTheClose()
    {
        Open open;
        QVERIFY(open.isReady);
        auto& document = open.window.findChild<CanvasPanel*>()->document();
        document.edit(QStringLiteral("Limit"), [](graph::Graph& graph) { graph.recursionLimit = 5; });
        QTRY_VERIFY(open.window.isWindowModified());
        QVERIFY(!open.window.close());
        open.question()->button(QMessageBox::Save)->click();
        document.edit(QStringLiteral("Limit"), [](graph::Graph& graph) { graph.recursionLimit = 6; });
        for (QAction* action : open.window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(QKeySequence::Save))
                action->trigger();
        QTRY_VERIFY(!open.window.isVisible());
        QCOMPARE(open.limit(), std::optional(6));
    }

    void stagedChangesAreAskedAbout()
    {
        Open open;
        QVERIFY(open.isReady);
        QSignalSpy finished(&clients(open).runs, &RunsClient::runFinished);
        open.bar.runAction()->trigger();
        QTRY_COMPARE(finished.count(), 1);
        QAction* fork = nullptr;
        for (QAction* action : open.window.findChildren<QAction*>())
            if (action->iconText() == QStringLiteral("Fork…"))
                fork = action;
        QTRY_VERIFY(fork->isEnabled());
        fork->trigger();
        auto& panel = *open.window.findChild<ReplayPanel*>();
        auto* table = panel.findChild<QTreeView*>();
        QTRY_VERIFY(table->model()->rowCount() > 0);
        QVERIFY(!panel.hasStaged());
        QVERIFY(table->model()->setData(table->model()->index(0, 1), QStringLiteral("41")));
        QVERIFY(panel.hasStaged());

        QVERIFY(!open.window.close());
        QVERIFY(open.question() != nullptr);
        open.question()->reject();
        QTRY_VERIFY(open.question() == nullptr);
        QVERIFY(panel.hasStaged());

        QSignalSpy opened(&clients(open).project, &OpenProject::opened);
        open.window.openProject(QString::fromStdString((open.folder / "g.graph.json").string()));
        QVERIFY(open.question() != nullptr);
        QVERIFY(opened.isEmpty());
        for (QAbstractButton* each : open.question()->buttons())
            if (open.question()->buttonRole(each) == QMessageBox::DestructiveRole) {
                each->click();
                break;
            }
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!panel.hasStaged());
        QVERIFY(open.window.close());
    }

    void aRecordedMacroIsNotLost()
    {
        Open open;
        QVERIFY(open.isReady);
        const auto action = [&open](const char* id) {
            return open.window.findChild<QAction*>(QLatin1String(id));
        };
        action("macro.record")->trigger();
        action("layout.review")->trigger();
        action("macro.stop")->trigger();
        QTRY_VERIFY(open.window.findChild<QFileDialog*>() != nullptr);
        open.window.findChild<QFileDialog*>()->reject();
        QTRY_VERIFY(open.window.findChild<QFileDialog*>() == nullptr);
        QVERIFY(action("macro.stop")->isEnabled());

        action("macro.record")->trigger();
        QVERIFY(open.question() != nullptr); // instead of that one?
        open.question()->reject();
        QTRY_VERIFY(open.question() == nullptr);
        QVERIFY(!open.window.close());
        QVERIFY(open.question() != nullptr);
        open.question()->button(QMessageBox::Save)->click();
        QTRY_VERIFY(open.window.findChild<QFileDialog*>() != nullptr);
        QDialog* dialog = open.window.findChild<QFileDialog*>();
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("twice"));
        dialog->accept();
        QTRY_VERIFY(!open.window.isVisible());
        QVERIFY(std::filesystem::exists(open.folder / "macros" / "twice.macro.json"));
    }

    void aRecordingIsDiscardedOnlyWhereItIsWanted()
    {
        Open open;
        QVERIFY(open.isReady);
        open.window.findChild<QAction*>(QStringLiteral("macro.record"))->trigger();
        open.window.findChild<QAction*>(QStringLiteral("layout.review"))->trigger();
        QVERIFY(!open.window.close());
        QVERIFY(open.question() != nullptr);
        open.question()->button(QMessageBox::Discard)->click();
        QTRY_VERIFY(!open.window.isVisible());
    }

private:
    static Clients& clients(const Open& open) { return open.window.clients(); }
};

SG_WINDOW_TEST(TestSaving)
#include "tst_saving.moc"
