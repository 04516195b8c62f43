// Artifacts as a table, and tables among them: order, filter, what is asked for.

#include "tests/support/window_style.h"
#include "tests/ui/artifacts/sample_artifacts.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_table.h"
#include "ui/artifacts/artifacts_bar.h"
#include "ui/artifacts/row_filter.h"
#include "ui/artifacts/table_view.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>

using namespace sg::ui;
using namespace sg::test;

class TestArtifactTables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void sortsTheTable()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts(six());
        auto* look = panel.findChild<ArtifactsBar*>()->findChild<SegmentedControl*>();
        QTest::mouseClick(look->segment(2), Qt::LeftButton);
        auto* table = panel.findChild<ArtifactTable*>();
        QVERIFY(table->isVisible());
        const QAbstractItemModelTester tester(table->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto first = [table] { return table->model()->index(0, 0).data().toString(); };
        QCOMPARE(first(), QStringLiteral("mass_by_species.png"));
        table->setCurrentIndex(table->model()->index(3, ArtifactModel::SizeColumn)); // the largest
        QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(table->model()->index(0, ArtifactModel::SizeColumn).data().toString(),
                 QStringLiteral("12\u00a0B"));
        QCOMPARE(table->currentIndex().row(), 5); // what was chosen stays chosen
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(first(), QStringLiteral("model.joblib"));
        QCOMPARE(table->currentIndex().row(), 0);
        QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {},
                          { table->columnViewportPosition(ArtifactModel::NameColumn) + 20, 10 });
        QVERIFY(first().startsWith(QLatin1String("a_very_long")));
        QTest::keyClick(table, Qt::Key_0, Qt::AltModifier);
        QCOMPARE(first(), QStringLiteral("mass_by_species.png"));
        QVERIFY(table->isColumnHidden(ArtifactModel::ThreadColumn)); // of one thread
        QTest::mouseClick(look->segment(1), Qt::LeftButton);
        QVERIFY(panel.findChild<ArtifactList*>()->isVisible());
    }

    void choosesInTheTable()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts(six());
        auto* look = panel.findChild<ArtifactsBar*>()->findChild<SegmentedControl*>();
        QTest::mouseClick(look->segment(2), Qt::LeftButton);
        auto* table = panel.findChild<ArtifactTable*>();
        auto* list = panel.findChild<ArtifactList*>();
        QSignalSpy asked(&panel, &ArtifactsPanel::previewRequested);
        QSignalSpy staged(&panel, &ArtifactsPanel::stageRequested);
        const auto press = [table](int row, Qt::KeyboardModifiers keys) {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, keys,
                              table->visualRect(table->model()->index(row, 0)).center());
        };
        press(2, {});
        QCOMPARE(asked.last().front().value<ArtifactRow>().name, QStringLiteral("report.md"));
        QCOMPARE(staged.count(), 1);
        press(4, Qt::ShiftModifier);
        QCOMPARE(list->selectedRows().size(), std::size_t(3));
        list->selectAll();
        QCOMPARE(table->selectionModel()->selectedRows().size(), 6);
        QTest::mouseClick(look->segment(1), Qt::LeftButton);
    }

    void asksForRowsThatPass_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("test");
        QTest::addColumn<QString>("value");
        using Test = TableFilter::Test;
        const auto row = [](const char* words, int column, Test test, const char* value) {
            QTest::newRow(words) << QString::fromLatin1(words) << column << int(test)
                                 << QString::fromLatin1(value);
        };
        row("mass > 4000", 0, Test::Greater, "4000");
        row("MASS<3.5", 0, Test::Less, "3.5");
        row("mass g = 1", 1, Test::Equals, "1"); // the longer name
        row("\"a > b\": x y", 2, Test::Contains, "x y");
        row("mass = \" 7\"", 0, Test::Equals, " 7");
        row("mass >", -1, Test::Contains, ""); // still being typed
        row("", -1, Test::Contains, "");
        row("age > 3", -1, Test::Contains, "");
        row("mass", -1, Test::Contains, "");
    }
    void asksForRowsThatPass()
    {
        QFETCH(QString, words);
        QString fault;
        const TableFilter filter = tableFilterOf(
            words, { QStringLiteral("mass"), QStringLiteral("mass g"), QStringLiteral("a > b") }, fault);
        QTEST(filter.column, "column");
        QTEST(int(filter.test), "test");
        QTEST(filter.value, "value");
        QCOMPARE(fault.isEmpty(), !words.startsWith(QLatin1String("age")) && words != QLatin1String("mass"));
    }

    void filtersATableInItsOrder()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        QSignalSpy pages(&panel, &ArtifactsPanel::pageRequested);
        panel.setPreview(tablePreview());
        auto* table = panel.findChild<TableView*>();
        auto* filter = panel.findChild<FilterEdit*>(QStringLiteral("tableFilter"));
        QVERIFY(filter->isVisible());
        filter->setFocus();
        table->setCurrentIndex(table->model()->index(1, 3));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        filter->setFilter(QStringLiteral("species: gen"));
        const auto order = pages.last().at(2).value<TableOrder>();
        QCOMPARE(order, (TableOrder{ 3, true, { 0, TableFilter::Test::Contains, QStringLiteral("gen") } }));
        QCOMPARE(pages.last().at(1).toLongLong(), 0);
        panel.setPreview(tablePreview());
        QVERIFY(filter->isVisible());
        QCOMPARE(filter->text(), QStringLiteral("species: gen"));
        const auto asked = pages.count();
        filter->setFilter(QStringLiteral("nothing > 3")); // no such column
        QCOMPARE(pages.count(), asked);
        filter->setFilter({});
        QCOMPARE(pages.last().at(2).value<TableOrder>(), (TableOrder{ 3, true }));
    }

    void asksForATableInAnOrder()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        QSignalSpy columns(&panel, &ArtifactsPanel::columnsShown);
        QSignalSpy pages(&panel, &ArtifactsPanel::pageRequested);
        panel.setPreview(tablePreview());
        QCOMPARE(columns.last().at(1).toInt(), 4);
        auto* table = panel.findChild<TableView*>();
        const auto click = [table] {
            QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {},
                              { table->columnViewportPosition(2) + 20, 10 });
        };
        const auto order = [&pages] { return pages.last().at(2).value<TableOrder>(); };
        click();
        QCOMPARE(order(), (TableOrder{ 2, false }));
        panel.setPreview(tablePreview());
        QCOMPARE(columns.count(), 1); // the same table
        click();
        QCOMPARE(order(), (TableOrder{ 2, true }));
        click();
        QCOMPARE(order(), TableOrder());
        table->setCurrentIndex(table->model()->index(1, 3));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(order(), (TableOrder{ 3, true }));
        const int before = table->horizontalHeader()->height();
        ColumnFacts facts;
        facts.artifact = six()[1].id;
        facts.column = 2;
        facts.least = QStringLiteral("2700");
        facts.most = QStringLiteral("6300");
        facts.empty = 2;
        facts.bars = { 1, 4, 2 };
        panel.setColumnFacts(facts);
        QVERIFY(table->horizontalHeader()->height() > before);
        QCOMPARE(table->model()->headerData(2, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
                 QStringLiteral("body_mass_g double; 2700 to 6300; 2 empty"));
    }

    void keepsTheColumnThatIsSortedByKey()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        panel.setPreview(tablePreview());
        auto* table = panel.findChild<TableView*>();
        const auto told = [table] {
            return table->model()->headerData(2, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        };
        table->setCurrentIndex(table->model()->index(3, 2));
        QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        panel.setPreview(tablePreview());
        QCOMPARE(table->currentIndex(), table->model()->index(0, 2));
        QCOMPARE(told(), QStringLiteral("body_mass_g double; sorted, smallest first"));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        panel.setPreview(tablePreview());
        QCOMPARE(table->order(), (TableOrder{ 2, true }));
        QCOMPARE(told(), QStringLiteral("body_mass_g double; sorted, largest first"));
    }

    void showsTheOrderInWhichTheRowsStand()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        QSignalSpy columns(&panel, &ArtifactsPanel::columnsShown);
        panel.setPreview(tablePreview());
        auto* table = panel.findChild<TableView*>();
        const auto sortBy = [table](int column) {
            table->setCurrentIndex(table->model()->index(0, column));
            QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        };
        sortBy(2);
        panel.setPreview(tablePreview());
        ArtifactPreview refused;
        refused.artifact = six()[1].id;
        refused.note = QStringLiteral("Not sorted");
        sortBy(0);
        panel.setPreview(refused);
        QCOMPARE(table->order(), (TableOrder{ 2, false }));
        refused.isComparison = true;
        refused.kind = ArtifactPreview::Kind::Changes;
        panel.setPreview(refused);
        panel.setPreview(tablePreview());
        QCOMPARE(table->order(), TableOrder());
        QCOMPARE(columns.count(), 2);
    }
};

SG_WINDOW_TEST(TestArtifactTables)
#include "tst_artifact_tables.moc"
