// A session at the time cursor: its variables and files, what changed, what stands where there is nothing.

#include "tests/ui/world/shown_world.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>

using namespace sg::test::shown;

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
        QTest::addColumn<int>("mark");
        QTest::addColumn<QString>("session");
        QTest::addColumn<QString>("words");
        const QString counts = QStringLiteral(": 1 added, 1 changed, 1 removed");
        QTest::newRow("exact") << static_cast<int>(SandboxMark::Exact) << ""
                               << QString(QStringLiteral("Step 4, kept exactly") + counts);
        QTest::newRow("restored") << static_cast<int>(SandboxMark::Restored) << ""
                                  << QString(QStringLiteral("Step 4, can be restored") + counts);
        QTest::newRow("none") << static_cast<int>(SandboxMark::None) << ""
                              << QString(QStringLiteral("Step 4, cannot be restored") + counts);
        QTest::newRow("of a node") << static_cast<int>(SandboxMark::Exact) << "node train"
                                   << QString(QStringLiteral("Step 4, kept exactly, session of node train")
                                              + counts);
    }
    void saysWhichMomentIsShown()
    {
        QFETCH(int, mark);
        QFETCH(QString, session);
        QFETCH(QString, words);
        WorldView view = world();
        view.mark = static_cast<SandboxMark>(mark);
        view.session = session;
        VariablesPanel variables;
        variables.setWorld(view);
        QCOMPARE(momentOf(variables), words);
        FilesPanel files;
        files.setWorld(view);
        QCOMPARE(momentOf(files), words);
    }

    void oneOfSeveralSessionsIsChosen()
    {
        WorldView view = world();
        VariablesPanel variables;
        FilesPanel files;
        variables.setWorld(view);
        auto* choice = variables.findChild<QComboBox*>();
        QVERIFY(!choice->isVisibleTo(&variables)); // there is one
        view.sessions = { QString(), QStringLiteral("node writer") };
        view.session = QStringLiteral("node writer");
        variables.setWorld(view);
        files.setWorld(view);
        QVERIFY(choice->isVisibleTo(&variables));
        QVERIFY(!choice->accessibleName().isEmpty());
        QCOMPARE(choice->currentText(), QStringLiteral("node writer"));
        QVERIFY(!momentOf(variables).contains(QStringLiteral("writer"))); // once is enough
        QSignalSpy chosen(&variables, &VariablesPanel::sessionChosen);
        Q_EMIT choice->activated(0);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(), QString());
        QSignalSpy other(&files, &FilesPanel::sessionChosen);
        Q_EMIT files.findChild<QComboBox*>()->activated(1);
        QCOMPARE(other.value(0).value(0).toString(), QStringLiteral("node writer"));
    }

    void saysWhereOnlySomeOfTheNamesAreListed()
    {
        WorldView view = world();
        view.names = 3; // with one that was removed
        VariablesPanel variables;
        variables.setWorld(view);
        QVERIFY(!momentOf(variables).contains(QStringLiteral("the first")));
        view.names = 12'000;
        variables.setWorld(view);
        QVERIFY2(momentOf(variables).contains(QStringLiteral("; the first 3 of 12")),
                 qPrintable(momentOf(variables)));
    }

    void saysWhatChangesAreToldAgainst()
    {
        WorldView view = world();
        view.base = 1;
        VariablesPanel variables;
        variables.setWorld(view);
        QCOMPARE(momentOf(variables),
                 QStringLiteral("Step 4, kept exactly: 1 added, 1 changed, 1 removed against step 1"));
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
};

SG_WINDOW_TEST(TestWorldPanels)
#include "tst_world_panels.moc"
