// A document, its file, and others who write to it: nothing is lost and nothing written over unasked.

#include "core/graph/graph_file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_test.h"
#include "ui/bridge/clients.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/shell/unsaved_edits.h"

#include <QFile>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

namespace {

constexpr const char* kGraph = R"({
  "format": 1,
  "name": "p",
  "state": {},
  "nodes": [
    { "name": "a", "kind": "jq", "jq": "{}" }
  ],
  "edges": [
    ["__start__", "a"]
  ]
}
)";

// Keeps what one window has of a graph, without the window.
struct Window {
    GraphDocument document;
    Clients clients;
    UnsavedEdits edits{ document, clients.editing, nullptr };
    QSignalSpy saved{ &edits, &UnsavedEdits::saved };
    QSignalSpy failed{ &edits, &UnsavedEdits::failed };
    QSignalSpy conflicted{ &edits, &UnsavedEdits::conflicted };
    QSignalSpy recoverable{ &edits, &UnsavedEdits::recoverable };
    QSignalSpy shared{ &edits, &UnsavedEdits::shared };

    explicit Window(const test::TempDir& folder)
    {
        document.setEditable(true);
        QObject::connect(&clients.project, &OpenProject::opened, &edits, [this](const ProjectInfo& info) {
            document.setGraph(info.graph);
            edits.open(info);
        });
        QObject::connect(&clients.editing, &EditingClient::graphChanged, &edits,
                         [this](const ProjectInfo& info) {
                             if (edits.fileChanged(info) == UnsavedEdits::Taken::Anew)
                                 edits.takeTheirs();
                         });
        QSignalSpy opened(&clients.project, &OpenProject::opened);
        clients.project.open(QString::fromStdString((folder / "p").string()));
        opened.wait(20'000);
    }
    void add(const char* kind)
    {
        document.edit(QStringLiteral("Add"), [kind](graph::Graph& graph) { addNode(graph, kind, {}); });
    }
    [[nodiscard]] bool has(const char* node) const { return document.graph().findNode(NodeId(node)); }
};

QString fileText(const test::TempDir& folder)
{
    QFile file(QString::fromStdString((folder / "p/p.graph.json").string()));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::string withNode(const char* name)
{
    graph::Graph graph = graph::parseGraph(kGraph)->graph;
    graph.nodes.push_back(graph.nodes.front());
    graph.nodes.back().name = NodeId(name);
    return graph::graphText(graph);
}

} // namespace

class TestUnsavedEdits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { sg::test::failOnQtWarnings(); }

    void whatIsEditedDuringASaveIsSavedNext()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Window window(folder);
        window.add("jq");
        window.edits.save();
        window.add("human");
        window.edits.save(); // the first is not over yet
        QTRY_COMPARE(window.saved.count(), 1);
        QVERIFY(!window.edits.isModified());
        QVERIFY(!window.edits.isConflicted());
        QCOMPARE(fileText(folder).toStdString(), graph::graphText(window.document.whole()));
        QVERIFY(fileText(folder).contains(QLatin1String("\"ask\"")));
        window.add("jq");
        window.edits.save(); // and the one after them has the file that they left
        QTRY_COMPARE(window.saved.count(), 2);
        QVERIFY(window.conflicted.isEmpty());
    }

    void aConflictHasAWayOut_data()
    {
        QTest::addColumn<bool>("keepsMine");
        QTest::newRow("keep mine") << true;
        QTest::newRow("take the file's") << false;
    }
    void aConflictHasAWayOut()
    {
        QFETCH(bool, keepsMine);
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Window window(folder);
        window.add("human");
        folder.write("p/p.graph.json", withNode("theirs"));
        window.edits.save();
        QTRY_VERIFY(!window.conflicted.isEmpty());
        QVERIFY(fileText(folder).contains(QLatin1String("theirs"))); // not written over
        QVERIFY(window.saved.isEmpty());
        if (keepsMine) {
            window.edits.overwrite();
            QTRY_COMPARE(window.saved.count(), 1);
            QVERIFY(fileText(folder).contains(QLatin1String("\"ask\"")));
            QVERIFY(!fileText(folder).contains(QLatin1String("theirs")));
        } else {
            QVERIFY(window.edits.takeTheirs());
            QVERIFY(window.has("theirs") && !window.has("ask"));
            QVERIFY(!window.edits.isModified());
            window.document.steps().undo(); // one step
            QVERIFY(window.has("ask") && !window.has("theirs"));
        }
        QVERIFY(!window.edits.isConflicted());
    }

    void aChangedFileIsOneStep()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Window window(folder);
        folder.write("p/p.graph.json", withNode("theirs"));
        QTRY_VERIFY(window.has("theirs"));
        QVERIFY(!window.edits.isModified());
        QCOMPARE(window.document.steps().count(), 1);
        window.document.steps().undo();
        QVERIFY(!window.has("theirs"));
        window.edits.save(); // against a file that is known
        QTRY_COMPARE(window.saved.count(), 1);
        QVERIFY(window.conflicted.isEmpty());
    }

    void eachWindowHasAJournal()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        auto first = std::make_unique<Window>(folder);
        QVERIFY(first->shared.isEmpty());
        first->add("human");
        const QString journal =
            QString::fromStdString((folder / "p/.sandglass/journal/p.graph.json").string());
        QTRY_VERIFY(QFile::exists(journal));
        {
            Window second(folder);
            QCOMPARE(second.shared.count(), 1);
            QVERIFY(second.recoverable.isEmpty()); // they are being edited
            second.edits.forget();
        }
        QVERIFY(QFile::exists(journal));
        first.reset(); // it ends as in a crash: nobody said that they are not wanted
        Window next(folder);
        QCOMPARE(next.recoverable.count(), 1);
        QVERIFY(!next.edits.isJournalOlder());
        next.edits.recover();
        QVERIFY(next.has("ask"));
        next.edits.save();
        QTRY_COMPARE(next.saved.count(), 1);
        QVERIFY(!QFile::exists(journal));
    }

    void recoveredEditsDoNotGoOverANewerFile()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        {
            Window crashed(folder);
            crashed.add("human");
            QTRY_VERIFY(std::filesystem::exists(folder / "p/.sandglass/journal/p.graph.json"));
        }
        folder.write("p/p.graph.json", withNode("theirs"));
        Window window(folder);
        QCOMPARE(window.recoverable.count(), 1);
        QVERIFY(window.edits.isJournalOlder());
        window.edits.recover();
        window.edits.save();
        QCOMPARE(window.conflicted.count(), 1);
        QVERIFY(fileText(folder).contains(QLatin1String("theirs")));
        window.edits.overwrite();
        QTRY_COMPARE(window.saved.count(), 1);
        QVERIFY(!fileText(folder).contains(QLatin1String("theirs")));
    }
};

SG_WINDOW_TEST(TestUnsavedEdits)
#include "tst_unsaved_edits.moc"
