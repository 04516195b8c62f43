// A session's files: filtered, taken out and put in, live, opened as text.

#include "tests/support/temp_dir.h"
#include "tests/ui/world/shown_world.h"
#include "ui/bridge/artifacts/file_mime.h"
#include "ui/widgets/banner.h"
#include "ui/world/file_tree.h"

#include <QAction>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QUrl>

using namespace sg::test::shown;

class TestFilesPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void filtersByNameAndPath()
    {
        FilesPanel panel;
        panel.setWorld(world());
        auto* view = panel.findChild<QTreeView*>();
        auto* filter = panel.findChild<QLineEdit*>();
        QVERIFY(!filter->accessibleName().isEmpty());
        filter->setText(QStringLiteral("A.CSV"));
        QTRY_COMPARE(rowsOf(*view->model()).size(), 3); // the file and its folders
        filter->setText(QStringLiteral("nowhere"));
        QTRY_VERIFY(!showsRows(panel));
        filter->clear();
        QTRY_COMPARE(rowsOf(*view->model()).size(), 7);
        QVERIFY(showsRows(panel));
    }

    void saysHowManyFilesAreListedOfMore()
    {
        FilesPanel panel;
        panel.setWorld(world());
        panel.setLive(true);
        LiveFiles live;
        live.thread = QStringLiteral("main");
        live.files = world().files; // with one that was removed, and a link
        live.isCut = true;
        panel.setLiveFiles(live);
        QVERIFY2(noteOf(panel).endsWith(QStringLiteral("; the first 3 files")), qPrintable(noteOf(panel)));
    }

    void takesFilesAndWholeFoldersOut()
    {
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        tree->selectAll();
        QStringList wanted;
        for (const WantedFile& file : tree->selectedFiles())
            wanted << file.path + QLatin1Char('>') + file.into;
        wanted.sort();
        QCOMPARE(wanted.join(QLatin1Char(' ')), // no link, nothing that was removed
                 QStringLiteral("data/deep/a.csv>data/deep data/old.csv>data model.bin>"));
        QSignalSpy asked(&panel, &FilesPanel::takeRequested);
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().at(1).toString(), QString());
        const auto staged = asked.front().at(2).value<std::shared_ptr<StagedFiles>>();
        staged->finish({ QStringLiteral("/tmp/x/data"), QStringLiteral("/tmp/x/model.bin") }, {});
        QCOMPARE(QGuiApplication::clipboard()->mimeData()->urls().size(), 2);
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(QLatin1String(kSessionFileFormat)));
        QGuiApplication::clipboard()->clear();
    }

    void tellsHowFarAnExportIsAndStopsIt_data() { sg::test::themes(); }
    void tellsHowFarAnExportIsAndStopsIt()
    {
        const QString theme = sg::test::useTheme();
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        auto* cancel = panel.findChild<QPushButton*>(QStringLiteral("cancelCopying"));
        QVERIFY(!cancel->isVisible());
        tree->selectAll();
        for (const WantedFile& file : tree->selectedFiles())
            QVERIFY(file.size >= 0); // so that the whole is known
        QSignalSpy asked(&panel, &FilesPanel::takeRequested);
        const sg::test::TempDir folder;
        const auto begin = [&] {
            for (QAction* each : panel.actions())
                if (each->text() == QStringLiteral("Export files…"))
                    each->trigger();
            auto* dialog = panel.findChild<QFileDialog*>();
            Q_EMIT dialog->fileSelected(QString::fromStdString(folder.path().string()));
            delete dialog;
            return asked.takeLast().at(2).value<std::shared_ptr<StagedFiles>>();
        };
        auto staged = begin();
        QVERIFY(cancel->isVisible());
        staged->begin({}, 12'000'000);
        staged->noteCopied(3'000'000);
        QTRY_COMPARE(noteOf(panel), QStringLiteral("Copying: 3 MB of 12 MB…"));
        QVERIFY(!staged->stopToken().stop_requested());
        sg::test::pictureOf(panel, QStringLiteral("files-export-") + theme);
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Escape);
        QVERIFY(staged->stopToken().stop_requested());
        staged->finish({}, {});
        panel.setTaken(staged, {});
        QVERIFY2(noteOf(panel).startsWith(QStringLiteral("Stopped; what was copied before is in ")),
                 qPrintable(noteOf(panel)));
        QVERIFY(!cancel->isVisible());

        staged = begin();
        cancel->click();
        QVERIFY(staged->stopToken().stop_requested());
        staged = begin(); // another one
        staged->finish({}, {});
        panel.setTaken(staged, {});
        QVERIFY(noteOf(panel).startsWith(QStringLiteral("Exported to ")));
        QVERIFY(!cancel->isVisible());
    }

    // The window's own events wait while another program waits for the files.
    void tellsHowFarCopiesAreThatAProgramWaitsFor()
    {
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        StagedFiles staged;
        staged.begin(QStringLiteral("/tmp/x"), 2'000'000);
        staged.noteCopied(1'000'000);
        Q_EMIT tree->waitedFor(staged, false);
        QCOMPARE(noteOf(panel), QStringLiteral("Copying: 1 MB of 2 MB…"));
        Q_EMIT tree->waitedFor(staged, true); // in vain
        QVERIFY(noteOf(panel).startsWith(QStringLiteral("Step 4")));
        QVERIFY(panel.findChild<Banner*>()->isVisible());
    }

    void tellsHowFarADragIs()
    {
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        const auto staged = std::make_shared<StagedFiles>();
        staged->begin(QStringLiteral("/tmp/x"), 2'000'000);
        Q_EMIT tree->dragging(staged);
        QCOMPARE(noteOf(panel), QStringLiteral("Drop to copy, Esc to cancel. Copying: 0 B of 2 MB…"));
        staged->noteCopied(2'000'000);
        staged->finish({ QStringLiteral("/tmp/x/a") }, {});
        QTRY_COMPARE(noteOf(panel), QStringLiteral("Drop to copy, Esc to cancel"));
        Q_EMIT tree->dragging(nullptr);
        QVERIFY(noteOf(panel).startsWith(QStringLiteral("Step 4")));
    }

    void showsALiveSessionAsItIs()
    {
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        QSignalSpy looks(&panel, &FilesPanel::liveRequested);
        panel.setLive(true);
        QTRY_COMPARE(looks.count(), 1);
        QVERIFY(momentOf(panel).startsWith(QStringLiteral("Step 4"))); // until it answers
        LiveFiles live;
        live.thread = QStringLiteral("main");
        live.files = { file(QStringLiteral("data/old.csv"), WorldChange::Same),
                       file(QStringLiteral("data/new.csv"), WorldChange::Added) };
        panel.setLiveFiles(live);
        QCOMPARE(momentOf(panel), QStringLiteral("Live, 1 added since step 4"));
        const QModelIndex folder = tree->model()->index(0, 0);
        QVERIFY(tree->isExpanded(folder));
        tree->setCurrentIndex(tree->model()->index(1, 0, folder));
        QCOMPARE(tree->selectedPaths(), QStringList{ QStringLiteral("data/old.csv") });
        live.files.push_back(file(QStringLiteral("data/third.csv"), WorldChange::Added));
        panel.setLiveFiles(live);
        QCOMPARE(tree->selectedPaths(),
                 QStringList{ QStringLiteral("data/old.csv") }); // what is chosen stays
        QVERIFY(rowsOf(*tree->model()).join(QLatin1Char('|')).contains(QStringLiteral("data/third.csv")));
        QTRY_COMPARE(looks.count(), 2);
        panel.setLiveFiles(live);
        panel.hide();
        panel.show(); // asks at once
        QTRY_COMPARE(looks.count(), 3);
        panel.setLive(false);
        QVERIFY(momentOf(panel).startsWith(QStringLiteral("Step 4")));
    }

    void asksALiveSessionOneQuestionAtATime()
    {
        FilesPanel panel;
        panel.show();
        panel.setWorld(world());
        QSignalSpy looks(&panel, &FilesPanel::liveRequested);
        panel.setLive(true);
        QTRY_COMPARE(looks.count(), 1);
        for (int step = 5; step < 9; ++step) { // a quick run
            WorldView next = world();
            next.checkpoint = QStringLiteral("c%1").arg(step);
            panel.setWorld(next);
            QTest::qWait(5);
        }
        QCOMPARE(looks.count(), 1);
        LiveFiles live;
        live.thread = QStringLiteral("main");
        panel.setLiveFiles(live);
        QTRY_COMPARE_WITH_TIMEOUT(looks.count(), 2, 500); // against the newer checkpoint, sooner than else
        panel.lookAgain(); // that answer was of another thread
        QTRY_COMPARE(looks.count(), 3);
    }

    void choosesAgainWhatWasChosenAtOnce()
    {
        FilesPanel panel;
        panel.show();
        panel.setWorld(world());
        panel.setLive(true);
        LiveFiles live;
        live.thread = QStringLiteral("main");
        for (int i = 0; i < 50; ++i)
            live.files.push_back(
                file(QStringLiteral("f%1").arg(i, 2, 10, QLatin1Char('0')), WorldChange::Same));
        panel.setLiveFiles(live);
        auto* tree = panel.findChild<FileTree*>();
        tree->selectAll();
        QSignalSpy changes(tree->selectionModel(), &QItemSelectionModel::selectionChanged);
        live.files[25].change = WorldChange::Changed;
        live.files.push_back(file(QStringLiteral("f20b"), WorldChange::Added));
        panel.setLiveFiles(live);
        QCOMPARE(tree->selectedPaths().size(), 50);
        QVERIFY(!tree->selectedPaths().contains(QStringLiteral("f20b")));
        QCOMPARE(changes.count(), 1);
    }

    void aFolderThatWasClosedStaysClosed()
    {
        FilesPanel panel;
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        const auto folder = [tree](const char* path) {
            const QModelIndexList found =
                tree->model()->match(tree->model()->index(0, 0), FileTreeModel::PathRole,
                                     QString::fromLatin1(path), 1, Qt::MatchExactly);
            return found.value(0);
        };
        QVERIFY(tree->isExpanded(folder("data")));
        tree->collapse(folder("data"));
        panel.setLive(true);
        LiveFiles live;
        live.thread = QStringLiteral("main");
        live.files = { file(QStringLiteral("data/old.csv"), WorldChange::Changed),
                       file(QStringLiteral("other/a"), WorldChange::Same) };
        panel.setLiveFiles(live);
        QVERIFY(!tree->isExpanded(folder("data")));
        QVERIFY(!tree->isExpanded(folder("other")));
        live.files[1].change = WorldChange::Changed; // news
        panel.setLiveFiles(live);
        QVERIFY(!tree->isExpanded(folder("data")));
        QVERIFY(tree->isExpanded(folder("other")));
        live.files.push_back(file(QStringLiteral(".cache/fonts/a"), WorldChange::Added));
        panel.setLiveFiles(live); // what libraries leave there is not opened by itself
        QVERIFY(folder(".cache").isValid() && !tree->isExpanded(folder(".cache")));
    }

    void takesDroppedFilesIntoTheFolderUnderThePointer()
    {
        FilesPanel panel;
        panel.resize(760, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        const QModelIndex folder = tree->model()->index(0, 0);
        QCOMPARE(folder.data(FileTreeModel::PathRole).toString(), QStringLiteral("data"));
        const QPoint place = tree->viewport()->mapTo(&panel, tree->visualRect(folder).center());
        QSignalSpy put(&panel, &FilesPanel::putRequested);
        QMimeData data;
        data.setUrls({ QUrl::fromLocalFile(QStringLiteral("/tmp/some file.csv")) });
        QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&panel, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&panel, &drop);
        QCOMPARE(put.count(), 1);
        QCOMPARE(put.front().at(0).toStringList(), QStringList{ QStringLiteral("/tmp/some file.csv") });
        QCOMPARE(put.front().at(1).toString(), QStringLiteral("data"));
        panel.setPut({ QStringLiteral("/session/data/some file.csv") }, {});
        QVERIFY(rowsOf(*tree->model())
                    .join(QLatin1Char('|'))
                    .contains(QStringLiteral("data/some file.csv, 0 B, added")));
        panel.setWorld(world()); // the same moment again
        QVERIFY(rowsOf(*tree->model()).join(QLatin1Char('|')).contains(QStringLiteral("some file.csv")));
        WorldView next = world();
        next.checkpoint = QStringLiteral("c5");
        panel.setWorld(next);
        QVERIFY(!rowsOf(*tree->model()).join(QLatin1Char('|')).contains(QStringLiteral("some file.csv")));
        panel.setPut({}, { QStringLiteral("No sandbox of this thread runs."), {} });
        QVERIFY(panel.findChild<Banner*>()->isVisible());
    }

    void savesATextThatIsStillWhatWasRead()
    {
        FilesPanel panel;
        panel.resize(900, 300);
        panel.show();
        panel.setWorld(world());
        auto* tree = panel.findChild<FileTree*>();
        QSignalSpy opened(&panel, &FilesPanel::openRequested);
        const QModelIndex data = tree->model()->index(0, 0);
        Q_EMIT tree->activated(data); // a folder
        QCOMPARE(opened.count(), 0);
        Q_EMIT tree->activated(tree->model()->index(1, 0, data));
        QCOMPARE(opened.front().front().toString(), QStringLiteral("data/old.csv"));
        SessionText text;
        text.thread = QStringLiteral("main");
        text.path = QStringLiteral("data/old.csv");
        text.text = QStringLiteral("a,b\n");
        text.hash = QStringLiteral("h1");
        text.isLive = true;
        panel.setText(text);
        auto* edit = panel.findChild<QPlainTextEdit*>(QStringLiteral("sessionFileText"));
        QVERIFY(edit->isVisible());
        QSignalSpy saved(&panel, &FilesPanel::saveRequested);
        QTest::keyClicks(edit, QStringLiteral("x"));
        auto* save = panel.findChild<QPushButton*>(QStringLiteral("sessionFileSave"));
        QVERIFY(save->isEnabled());
        save->click();
        QCOMPARE(saved.count(), 1);
        QCOMPARE(saved.front().at(0).value<SessionText>().hash, QStringLiteral("h1"));
        QCOMPARE(saved.front().at(1).toString(), QStringLiteral("xa,b\n"));
        panel.setSaved(text, { QStringLiteral("changed meanwhile"), {} }, true);
        QPushButton* over = nullptr;
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Write over it"))
                over = button;
        QVERIFY(over != nullptr);
        over->click();
        QCOMPARE(saved.count(), 2);
        QVERIFY(saved.back().at(0).value<SessionText>().hash.isEmpty());
        panel.setSaved(text, {}, false);
        QVERIFY(!save->isEnabled());
        text.isLive = false;
        panel.setText(text);
        QVERIFY(edit->isReadOnly());
        QVERIFY(!save->isVisible());
        panel.findChild<QPushButton*>(QStringLiteral("sessionFileClose"))->click();
        QVERIFY(!edit->isVisible());
    }

    void takesNothingThatWasDraggedFromItself()
    {
        FilesPanel panel;
        panel.show();
        FileMime own(std::make_shared<StagedFiles>(), QStringList{ QStringLiteral("a") });
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &own, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&panel, &enter);
        QVERIFY(!enter.isAccepted());
    }

    void foldersWithChangesStandOpen()
    {
        FilesPanel panel;
        panel.show();
        panel.setWorld({});
        panel.setWorld(world());
        auto* view = panel.findChild<QTreeView*>();
        QStringList seen;
        for (QModelIndex index = view->model()->index(0, 0); index.isValid(); index = view->indexBelow(index))
            seen << index.data().toString();
        QCOMPARE(seen,
                 (QStringList{ QStringLiteral("data/"), QStringLiteral("deep/"), QStringLiteral("a.csv"),
                               QStringLiteral("old.csv"), QStringLiteral("latest → data/deep/a.csv"),
                               QStringLiteral("model.bin"), QStringLiteral("notes.txt") }));
        QCOMPARE(view->accessibleName(), QStringLiteral("Files"));
    }
};

SG_WINDOW_TEST(TestFilesPanel)
#include "tst_files_panel.moc"
