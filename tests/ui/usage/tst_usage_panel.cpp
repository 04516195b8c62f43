// Tokens, cost and time as people read them, and the table of prices.

#include "tests/support/window_style.h"
#include "ui/usage/price_table.h"
#include "ui/usage/usage_panel.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>

using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromUtf8(text);
}

UsageRow row(const char* name, double cost, qint64 unpriced)
{
    return { words(name), 5, 1204, 310, cost, unpriced, 3.4 };
}

UsageRows usage()
{
    UsageRows rows;
    rows.sum = row("", 0.0123, 0);
    rows.nodes = { row("plan", 0.0123, 0), row("act", kUnknown, 5) };
    rows.models = { row("gpt-4o", 0.0123, 0), row("", kUnknown, 5) };
    rows.currency = words("USD");
    rows.priceDate = words("2026-01-31");
    return rows;
}

} // namespace

class TestUsagePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void anUnknownPriceIsNever0()
    {
        QCOMPARE(costText(row("", kUnknown, 5), words("USD")), words("–"));
        QCOMPARE(costText(row("", 0.0123, 0), words("USD")), words("USD 0.0123"));
        QCOMPARE(costText(row("", 2.5, 1), words("USD")), words("USD 2.50 + –"));
        QCOMPARE(costText(row("", 0, 0), words("USD")), words("USD 0.0000")); // it is known to be free
        QVERIFY(usageLine({}, words("USD")).isEmpty());
        QVERIFY2(usageLine(row("", kUnknown, 5), words("USD")).contains(words("310 out · no price")),
                 qPrintable(usageLine(row("", kUnknown, 5), words("USD"))));
    }

    void showsSumsByNodeAndModel()
    {
        UsagePanel panel;
        panel.resize(700, 300);
        panel.show();
        panel.setUsage(usage());
        auto* tree = panel.findChild<QTreeView*>();
        QVERIFY(tree->isVisible());
        const QModelIndex nodes = tree->model()->index(0, 0);
        QCOMPARE(tree->model()->index(1, 4, nodes).data().toString(), words("–"));
        QVERIFY(tree->model()->headerData(4, Qt::Horizontal).toString().contains(words("2026-01-31")));
        panel.setUsage({});
        QVERIFY(!tree->isVisible());
    }

    void aGroupHasSoManyRows()
    {
        UsagePanel panel;
        panel.resize(700, 300);
        panel.show();
        UsageRows rows = usage();
        rows.runs.assign(1000, row("run", 1, 0));
        panel.setUsage(rows);
        const QAbstractItemModel* model = panel.findChild<QTreeView*>()->model();
        const QModelIndex runs = model->index(2, 0);
        QCOMPARE(model->rowCount(runs), 201);
        QCOMPARE(model->index(200, 0, runs).data().toString(), words("… and 800 more"));
    }

    void whatIsTheSameIsNotBuiltAgain()
    {
        UsagePanel panel;
        panel.resize(700, 300);
        panel.setUsage(usage());
        auto* model = panel.findChild<QTreeView*>()->model();
        QCOMPARE(model->rowCount(), 0); // nobody looks
        panel.show();
        QCOMPARE(model->rowCount(), 2);
        QSignalSpy reset(model, &QAbstractItemModel::modelReset);
        panel.setUsage(usage());
        QCOMPARE(reset.count(), 0);
        UsageRows other = usage();
        other.nodes[1].cost = 1;
        panel.setUsage(other);
        QCOMPARE(reset.count(), 1);
    }

    // The answers come as the window's do.
    void pricesAreKeptOnceTheyAreComplete()
    {
        PriceTableView table;
        table.resize(600, 300);
        table.show();
        PriceTable kept{ words("/x/prices.json"),
                         words("USD"),
                         { { words("a*"), 1, 2, words("2026-01-31") } } };
        table.setPrices(kept);
        table.addModels({ words("a-large"), words("b"), QString() });
        QSignalSpy changed(&table, &PriceTableView::changed);
        connect(&table, &PriceTableView::changed, this, [&](const PriceTable& given) {
            kept = given;
            table.setPrices(given);
        });
        auto* view = table.findChild<QTableView*>();
        auto* model = static_cast<QStandardItemModel*>(view->model());
        QCOMPARE(model->rowCount(), 2); // a* stands for a-large
        model->item(1, 1)->setText(words("3"));
        QCOMPARE(changed.count(), 0); // one figure is missing
        QCOMPARE(model->item(1, 1)->text(), words("3"));
        model->item(1, 2)->setText(words("much"));
        QCOMPARE(changed.count(), 0);
        QVERIFY(!model->item(1, 2)->toolTip().isEmpty());
        view->edit(model->index(0, 0)); // stays open while others are kept
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        model->item(1, 2)->setText(words("0"));
        QCOMPARE(changed.count(), 1);
        QVERIFY(view->findChildren<QLineEdit*>().contains(editor));
        QVERIFY(editor->isVisible());
        QVERIFY(model->item(1, 2)->toolTip().isEmpty());
        QCOMPARE(kept.rows.size(), std::size_t(2));
        QCOMPARE(kept.rows[1].model, words("b"));
        QCOMPARE(kept.rows[1].output, 0.0);
        QVERIFY(!kept.rows[1].date.isEmpty()); // today's
        QCOMPARE(kept.rows[0].date, words("2026-01-31"));
        model->item(1, 2)->setText(words("0.0"));
        QCOMPARE(changed.count(), 1); // the same
    }

    void aWrongFigureLeavesTheOldPrice()
    {
        PriceTableView table;
        PriceTable kept{ words("/x/prices.json"),
                         words("USD"),
                         { { words("a"), 1, 2, words("2026-01-31") },
                           { words("b"), 3, 4, words("2026-01-31") } } };
        table.setPrices(kept);
        QSignalSpy changed(&table, &PriceTableView::changed);
        auto* model = static_cast<QStandardItemModel*>(table.findChild<QTableView*>()->model());
        model->item(0, 1)->setText(words("-5"));
        QCOMPARE(changed.count(), 0);
        QVERIFY2(model->item(0, 1)->toolTip().contains(words("1 is still kept")),
                 qPrintable(model->item(0, 1)->toolTip()));
        model->item(1, 0)->setText(words("a")); // there is one
        QCOMPARE(changed.count(), 0);
        QVERIFY(!model->item(1, 0)->toolTip().isEmpty());
        model->item(1, 0)->setText(words("c"));
        QCOMPARE(changed.count(), 1);
        const auto given = changed.takeLast().front().value<PriceTable>();
        QCOMPARE(given.rows[0].input, 1.0);
        QCOMPARE(given.rows[1].model, words("c"));
        table.setPrices(kept); // asked before the edit
        QCOMPARE(model->item(1, 0)->text(), words("c"));
        table.setPrices(given);
        QCOMPARE(model->item(0, 1)->text(), words("-5"));
        QCOMPARE(model->rowCount(), 2);
    }

    void anotherProgramsPricesComeIn()
    {
        PriceTableView table;
        PriceTable kept{ words("/x/prices.json"),
                         words("USD"),
                         { { words("a"), 1, 2, words("2026-01-31") },
                           { words("b"), 3, 4, words("2026-01-31") } } };
        table.setPrices(kept);
        table.addModels({ words("mine") });
        kept.rows = { { words("a"), 7, 2, words("2026-02-01") }, { words("c"), 5, 6, words("2026-02-01") } };
        table.setPrices(kept);
        auto* model = static_cast<QStandardItemModel*>(table.findChild<QTableView*>()->model());
        QStringList names;
        for (int row = 0; row < model->rowCount(); ++row)
            names << model->item(row, 0)->text();
        QCOMPARE(names, QStringList({ words("a"), words("mine"), words("c") }));
        QCOMPARE(model->item(0, 1)->text(), words("7"));
    }

    void nothingIsWrittenOverWhatCannotBeRead()
    {
        PriceTableView table;
        QSignalSpy changed(&table, &PriceTableView::changed);
        PriceTable broken;
        broken.file = words("/x/prices.json");
        broken.error = { words("this is not JSON"), {} };
        broken.isUnreadable = true;
        table.setPrices(broken);
        table.addModels({ words("b") });
        auto* model = static_cast<QStandardItemModel*>(table.findChild<QTableView*>()->model());
        model->item(0, 1)->setText(words("3"));
        model->item(0, 2)->setText(words("4"));
        QCOMPARE(changed.count(), 0);
        table.setPrices(
            { words("/x/prices.json"), words("USD"), { { words("a"), 1, 2, words("2026-01-31") } } });
        QCOMPARE(model->rowCount(), 2); // what was entered stays
        model->item(0, 2)->setText(words("5"));
        QCOMPARE(changed.takeLast().front().value<PriceTable>().rows.size(), std::size_t(2));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        UsagePanel panel;
        panel.resize(760, 300);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, words("usage-empty-") + name);
        panel.setUsage(usage());
        QVERIFY(sg::test::pictureOf(panel, words("usage-") + name) != empty);
        panel.setPrices(
            { words("/x/prices.json"), words("USD"), { { words("a*"), 1, 2, words("2026-01-31") } }, {} });
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text() == words("Prices"))
                button->click();
        sg::test::pictureOf(panel, words("usage-prices-") + name);
    }
};

SG_WINDOW_TEST(TestUsagePanel)
#include "tst_usage_panel.moc"
