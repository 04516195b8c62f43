// The bridge asks an open project for its log with the console's cells, and for copies of its artifacts.

#include "core/runs/cell_log.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/bridge/artifacts/artifact_query.h"
#include "ui/bridge/log/log_query.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/previews/artifact_preview.h"
#include "ui/bridge/staging/staging.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace sg;
using namespace sg::ui;

namespace {

const ThreadId kThread("t");

engine::LogLine piece(const char* bytes, const char* cell = "cell:1")
{
    engine::LogLine line;
    line.task = TaskId(cell);
    line.node = NodeId("console");
    line.bytes = bytes;
    return line;
}

ArtifactRow rowOf(const artifacts::Artifact& artifact)
{
    ArtifactRow row;
    row.id = QString::fromStdString(artifact.id.value);
    row.name = QString::fromStdString(artifact.name);
    row.size = static_cast<qint64>(artifact.size);
    return row;
}

} // namespace

class TestProjectReads : public QObject {
    Q_OBJECT

    sg::test::TempDir m_folder;
    std::unique_ptr<workbench::Workbench> m_workbench;

    ArtifactRow store(const char* name, const std::string& content)
    {
        artifacts::ArtifactOrigin origin;
        origin.thread = kThread;
        auto writer = m_workbench->artifacts().begin(*RelativePath::parse(name), 1, origin);
        if (!writer || !(*writer)->write(content))
            qFatal("cannot store");
        return rowOf(*(*writer)->finish());
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const char* place : { "XDG_RUNTIME_DIR", "XDG_CACHE_HOME" }) {
            const auto folder = m_folder / place;
            std::filesystem::create_directory(folder);
            std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
            qputenv(place, folder.c_str());
        }
    }
    void init()
    {
        m_folder.write("p/p.graph.json",
                       R"({"format": 1, "name": "p", "state": {}, "nodes": [], "edges": []})");
        auto opened = openWorkbench(QString::fromStdString((m_folder / "p").string()));
        QVERIFY2(opened.value != nullptr, qPrintable(opened.error.what));
        m_workbench = std::move(opened.value);
    }
    void cleanup()
    {
        m_workbench.reset();
        std::filesystem::remove_all(m_folder / "p");
    }

    void keepsWhatCellsPrint()
    {
        const WallTime at{ std::chrono::seconds(1'795'248'000) };
        m_workbench->runs().keepCellOutput(kThread, at, piece("1\n2"));
        m_workbench->runs().keepCellOutput(ThreadId("other"), at, piece("not this\n"));
        m_workbench->runs().keepCellOutput(kThread, at + std::chrono::seconds(1), piece("3\nbegun"));
        Answer<ThreadLog> log = readLog(*m_workbench, QStringLiteral("t"));
        QVERIFY2(log.error.what.isEmpty(), qPrintable(log.error.what));
        QCOMPARE(log.value.rows.size(), std::size_t(2));
        QCOMPARE(log.value.rows[1].text, QStringLiteral("23"));
        QCOMPARE(log.value.rows[1].timeMs, 1'795'248'001'000.0);
        QVERIFY(log.value.rows[1].source == LogRow::Source::Cell);
        QCOMPARE(log.value.rows[1].task, QStringLiteral("cell:1")); // folds with the others of its cell
        QCOMPARE(log.value.open.size(), std::size_t(1));
        QCOMPARE(log.value.open[0].text, QStringLiteral("begun"));
        QVERIFY(m_workbench->history().runs(kThread)->empty()); // a console is no run
    }

    // A fast run makes several checkpoints in one millisecond, and the store lists the newest first.
    void ordersRowsOfOneTimeAsTheRunMadeThem()
    {
        const auto made = [](int step, const char* after) {
            CheckpointRow row;
            row.step = step;
            row.timeMs = 1000;
            row.after = QStringList(QString::fromLatin1(after));
            return checkpointNote(row);
        };
        TaskRow task;
        task.startedMs = 999;
        task.seconds = 0.001;
        task.step = 3;
        task.node = QStringLiteral("c");
        task.error = QStringLiteral("KeyError: 'x'");
        task.detail = QStringLiteral("Traceback\n  File \"c.py\"\n");
        std::vector<LogRow> rows{ runEnded(1000, QStringLiteral("70061131-a497-4e3d"), RunStatus::Failed),
                                  made(2, "b"), made(1, "a"), made(0, "start"),
                                  runBegan(1000, QStringLiteral("70061131-a497-4e3d")) };
        for (const LogRow& note : failureNotes(task))
            rows.push_back(note);
        sortLog(rows);
        QStringList told;
        for (const LogRow& row : rows)
            told << row.text + (row.isFailure ? QStringLiteral("!") : QString());
        QCOMPARE(
            told.join(QLatin1Char('|')),
            QStringLiteral("run 70061131 began|checkpoint after start; nothing is next|checkpoint after a; "
                           "nothing is next|checkpoint after b; nothing is next|failed: KeyError: 'x'!|"
                           "Traceback!|  File \"c.py\"!|run 70061131 ended: failed!"));
    }

    // The window tells in its own words, not in those of the file, how a checkpoint was made.
    void tellsWhatMadeACheckpoint_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("after");
        QTest::addColumn<QStringList>("next");
        QTest::addColumn<QString>("told");
        const QString work = QStringLiteral("work");
        QTest::newRow("packets") << "loop" << QStringList{ QStringLiteral("split") }
                                 << QStringList{ work, work, work }
                                 << QString::fromUtf8("checkpoint after split; next: work × 3");
        QTest::newRow("input") << "input" << QStringList() << QStringList{ QStringLiteral("__start__") }
                               << "checkpoint of the input";
        QTest::newRow("start") << "loop" << QStringList{ QStringLiteral("__start__") } << QStringList{ work }
                               << "checkpoint at the start; next: work";
        QTest::newRow("fork") << "fork" << QStringList() << QStringList{ work }
                              << "checkpoint: forked; next: work";
        QTest::newRow("update") << "update" << QStringList() << QStringList()
                                << "checkpoint: the state was updated; nothing is next";
    }
    void tellsWhatMadeACheckpoint()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, after);
        QFETCH(QStringList, next);
        CheckpointRow row;
        row.source = source.toStdString();
        row.after = after;
        row.next = next;
        QTEST(checkpointNote(row).text, "told");
        QCOMPARE(runEnded(1, QStringLiteral("70061131-a"), RunStatus::Interrupted).text,
                 QStringLiteral("run 70061131 paused"));
    }

    // As the command line's cells do in a program of their own.
    void keepsWhatACellOfAnotherProgramPrints()
    {
        using Stream = sessions::CellOutput::Stream;
        runs::CellLog first(m_workbench->runs(), kThread);
        first.add({ Stream::Stdout, "one\nbeg" });
        first.add({ Stream::Stderr, "warning\n" });
        first.add({ Stream::Stdout, {} });
        first.end();
        runs::CellLog second(m_workbench->runs(), kThread);
        second.add({ Stream::Stdout, "two" });
        second.end();
        QVERIFY(first.cell() != second.cell());
        const Answer<ThreadLog> log = readLog(*m_workbench, QStringLiteral("t"));
        QStringList told;
        for (const LogRow& row : log.value.rows)
            told << row.node + QLatin1Char(' ') + row.text
                    + (row.stream == LogRow::Stream::Err ? QStringLiteral("!") : QString());
        told.sort();
        QCOMPARE(told.join(QLatin1Char('|')),
                 QStringLiteral("console beg|console one|console two|console warning!"));
        QVERIFY(log.value.open.empty());
        QVERIFY(log.value.rows.back().source == LogRow::Source::Cell);
    }

    void saysWhatIsLeftOut()
    {
        const WallTime at{ std::chrono::seconds(1'795'248'000) };
        for (int i = 0; i < 4; ++i)
            m_workbench->runs().keepCellOutput(kThread, at + std::chrono::seconds(i), piece("line\n"));
        LogLimits limits;
        limits.output = 4;
        QCOMPARE(readLog(*m_workbench, QStringLiteral("t"), limits).value.rows.size(), std::size_t(4));
        limits.output = 2;
        const std::vector<LogRow> rows = readLog(*m_workbench, QStringLiteral("t"), limits).value.rows;
        QCOMPARE(rows.size(), std::size_t(3));
        QVERIFY2(rows[0].text.startsWith(QLatin1String("Older lines are left out: output before")),
                 qPrintable(rows[0].text));
        QCOMPARE(rows[0].timeMs, rows[1].timeMs);
    }

    void copiesTheRestAndNamesWhatFails()
    {
        const ArtifactRow good = store("good.txt", "good");
        const ArtifactRow bad = store("bad.txt", "bad");
        ArtifactRow unknown = good;
        unknown.id = QStringLiteral("art_unknown");
        unknown.name = QStringLiteral("gone.txt");
        const auto blob = m_workbench->artifacts().blobPath(
            *m_workbench->artifacts().find(ArtifactId(bad.id.toStdString())));
        std::filesystem::remove(blob);
        const QString folder = QString::fromStdString((m_folder / "copies").string());
        StagedFiles staged;
        const Answer<QStringList> made = copyArtifacts(*m_workbench, { bad, good, unknown }, folder, &staged);
        QCOMPARE(made.value.size(), 1);
        QCOMPARE(QFileInfo(made.value.front()).fileName(), QStringLiteral("good.txt"));
        QVERIFY2(made.error.what.startsWith(QLatin1String("2 of 3 files were not copied: bad.txt: ")),
                 qPrintable(made.error.what));
        QVERIFY2(made.error.detail.contains(QLatin1String("gone.txt: ")), qPrintable(made.error.detail));
        QCOMPARE(staged.copiedBytes(), qint64(4));
    }

    void decodesPicturesWithTheirHalves()
    {
        QImage picture(1000, 600, QImage::Format_RGB32);
        picture.fill(Qt::blue);
        const std::filesystem::path file = m_folder / "picture.png";
        QVERIFY(picture.save(QString::fromStdString(file.string())));
        ArtifactRow row;
        row.id = row.name = QStringLiteral("picture.png");
        row.mime = QStringLiteral("image/png");
        row.blob = QString::fromStdString(file.string());
        row.size = QFileInfo(row.blob).size();
        ArtifactPreviewer previewer(*m_workbench);
        const ArtifactPreview made = previewer.make(row, {});
        QVERIFY(made.kind == ArtifactPreview::Kind::Image);
        QCOMPARE(made.picture.size(), QSize(1000, 600));
        QCOMPARE(made.halves.size(), std::size_t(3));
        QCOMPARE(made.halves[2].size(), QSize(125, 75));
        m_folder.write("picture.png", "\x89PNG\r\n\x1a\nbroken");
        QVERIFY(previewer.make(row, {}).kind == ArtifactPreview::Kind::None);
    }

    void stopsCopyingWhatNobodyWants()
    {
        const ArtifactRow row = store("a.txt", "content");
        StagedFiles staged;
        staged.giveUp();
        const QString folder = QString::fromStdString((m_folder / "unwanted").string());
        const Answer<QStringList> made = copyArtifacts(*m_workbench, { row }, folder, &staged);
        QVERIFY(made.value.isEmpty());
        QVERIFY(QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
    }

    void putsMuchIntoTheCache()
    {
        QString problem;
        const QString small = newDragFolder(1000, problem);
        const QString large = newDragFolder(100LL << 20, problem);
        const QString unknown = newDragFolder(-1, problem);
        QVERIFY2(!small.isEmpty() && !large.isEmpty() && !unknown.isEmpty(), qPrintable(problem));
        QVERIFY(QFileInfo(small).path() != QFileInfo(large).path());
        QCOMPARE(QFileInfo(unknown).path(), QFileInfo(large).path());
        for (const QString& folder : { small, large, unknown })
            QVERIFY(QDir(folder).removeRecursively());
    }
};

SG_CORE_TEST(TestProjectReads)
#include "tst_project_reads.moc"
