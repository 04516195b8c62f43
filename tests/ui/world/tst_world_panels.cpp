// A session at the time cursor: its variables and files, what changed, what stands where there is nothing.

#include "tests/support/window_style.h"
#include "ui/bridge/file_mime.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/world/file_tree.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/files_panel.h"
#include "ui/world/variable_model.h"
#include "ui/world/variables_panel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>
#include <QUrl>

using namespace sg::ui;

namespace {

VariableRow variable(const QString& name, const QString& type, WorldChange change,
                     const QString& preview = {})
{
    VariableRow row;
    row.name = name;
    row.type = type;
    row.bytes = 1200;
    row.preview = preview;
    row.change = change;
    return row;
}

WorldFileRow file(const QString& path, WorldChange change, qint64 size = 100)
{
    WorldFileRow row;
    row.path = path;
    row.size = size;
    row.change = change;
    return row;
}

WorldView world()
{
    WorldView view;
    view.thread = QStringLiteral("main");
    view.checkpoint = QStringLiteral("c4");
    view.step = 4;
    view.wasUsed = true;
    view.mark = QStringLiteral("exact");
    view.variables = { variable(QStringLiteral("frame"), QStringLiteral("pandas.DataFrame"),
                                WorldChange::Changed, QStringLiteral("species, island, mass")),
                       variable(QStringLiteral("gone"), QStringLiteral("int"), WorldChange::Removed),
                       variable(QStringLiteral("rate"), QStringLiteral("float"), WorldChange::Same,
                                QStringLiteral("0.1")),
                       variable(QStringLiteral("walk"), QStringLiteral("generator"), WorldChange::Added) };
    view.variables.front().shape = QStringLiteral("344 × 7");
    view.variables.back().missing = QStringLiteral("TypeError: cannot pickle 'generator' object");
    view.files = { file(QStringLiteral("data/deep/a.csv"), WorldChange::Changed, 13000),
                   file(QStringLiteral("data/old.csv"), WorldChange::Same),
                   file(QStringLiteral("model.bin"), WorldChange::Added, 1200000),
                   file(QStringLiteral("notes.txt"), WorldChange::Removed) };
    WorldFileRow link = file(QStringLiteral("latest"), WorldChange::Same);
    link.type = WorldFileRow::Type::Link;
    link.target = QStringLiteral("data/deep/a.csv");
    view.files.push_back(link);
    return view;
}

QString momentOf(const QWidget& panel)
{
    return panel.findChild<QTreeView*>()->accessibleDescription();
}

QStringList rowsOf(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        rows << index.data(Qt::AccessibleTextRole).toString().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        rows << rowsOf(model, index);
    }
    return rows;
}

bool showsRows(const QWidget& panel)
{
    return panel.findChild<QTreeView*>()->isVisibleTo(&panel);
}

} // namespace

class TestWorldPanels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        VariablesPanel variables;
        FilesPanel files;
        for (QWidget* panel : { static_cast<QWidget*>(&variables), static_cast<QWidget*>(&files) }) {
            panel->resize(760, 240);
            panel->show();
        }
        QCoreApplication::sendPostedEvents();
        const QImage noVariables = sg::test::pictureOf(variables, QStringLiteral("variables-empty-") + name);
        const QImage noFiles = sg::test::pictureOf(files, QStringLiteral("files-empty-") + name);
        variables.setWorld(world());
        files.setWorld(world());
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(variables, QStringLiteral("variables-") + name) != noVariables);
        QVERIFY(sg::test::pictureOf(files, QStringLiteral("files-") + name) != noFiles);
    }

    void saysEachNameWithWhatBecameOfIt()
    {
        VariableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(world().variables);
        QCOMPARE(
            rowsOf(model),
            (QStringList{
                QStringLiteral("frame, pandas.DataFrame, 344 × 7, 1.2 kB, changed, species, island, mass"),
                QStringLiteral("gone, int, 1.2 kB, removed"), QStringLiteral("rate, float, 1.2 kB, 0.1"),
                QStringLiteral("walk, generator, 1.2 kB, added, not kept: TypeError: cannot pickle "
                               "'generator' object") }));
        QCOMPARE(model.index(0, VariableModel::ShapeColumn).data().toString(), QStringLiteral("344 × 7"));
    }

    void filesStandBeneathTheirFolders()
    {
        FileTreeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(world().files);
        QCOMPARE(rowsOf(model),
                 (QStringList{ QStringLiteral("data, folder, 1 change inside"),
                               QStringLiteral("data/deep, folder, 1 change inside"),
                               QStringLiteral("data/deep/a.csv, 13 kB, changed"),
                               QStringLiteral("data/old.csv, 100 B"),
                               QStringLiteral("latest, link to data/deep/a.csv"),
                               QStringLiteral("model.bin, 1.2 MB, added"),
                               QStringLiteral("notes.txt, 100 B, removed") }));
        model.reset({});
        QCOMPARE(model.rowCount(), 0);
    }

    void saysWhichMomentIsShown_data()
    {
        QTest::addColumn<QString>("mark");
        QTest::addColumn<QString>("session");
        QTest::addColumn<QString>("words");
        const QString counts = QStringLiteral(": 1 added, 1 changed, 1 removed");
        QTest::newRow("exact") << "exact"
                               << "" << QString(QStringLiteral("Step 4, kept exactly") + counts);
        QTest::newRow("restored") << "restored"
                                  << "" << QString(QStringLiteral("Step 4, can be restored") + counts);
        QTest::newRow("none") << "none"
                              << "" << QString(QStringLiteral("Step 4, cannot be restored") + counts);
        QTest::newRow("of a node") << "exact"
                                   << "node train"
                                   << QString(QStringLiteral("Step 4, kept exactly, session of node train")
                                              + counts);
    }
    void saysWhichMomentIsShown()
    {
        QFETCH(QString, mark);
        QFETCH(QString, session);
        QFETCH(QString, words);
        WorldView view = world();
        view.mark = mark;
        view.session = session;
        VariablesPanel variables;
        variables.setWorld(view);
        QCOMPARE(momentOf(variables), words);
        FilesPanel files;
        files.setWorld(view);
        QCOMPARE(momentOf(files), words);
    }

    void aSentenceStandsWhereThereIsNothing_data()
    {
        QTest::addColumn<WorldView>("view");
        WorldView view = world();
        view.variables.clear();
        view.files.clear();
        QTest::newRow("an empty session") << view;
        view.variablesProblem = view.filesProblem =
            QStringLiteral("files not kept: 700 MB over the cap of 512 MB");
        QTest::newRow("not kept") << view;
        view = {};
        QTest::newRow("no session") << view;
        view.error = QStringLiteral("the database is damaged");
        QTest::newRow("unreadable") << view;
    }
    void aSentenceStandsWhereThereIsNothing()
    {
        QFETCH(WorldView, view);
        VariablesPanel variables;
        FilesPanel files;
        for (const WorldView& each : { world(), view }) {
            variables.setWorld(each);
            files.setWorld(each);
        }
        QVERIFY(!showsRows(variables));
        QVERIFY(!showsRows(files));
        variables.setWorld(world());
        files.setWorld(world());
        QVERIFY(showsRows(variables));
        QVERIFY(showsRows(files));
        variables.clear();
        files.clear();
        QVERIFY(!showsRows(variables));
        QVERIFY(!showsRows(files));
    }

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

SG_WINDOW_TEST(TestWorldPanels)
#include "tst_world_panels.moc"
