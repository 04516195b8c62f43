// The panel with the states of the penguins example: pictures in both themes, model, modes, copying, footer.

#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/state/json_view.h"
#include "ui/state/state_footer.h"
#include "ui/state/state_model.h"
#include "ui/state/state_panel.h"
#include "ui/state/state_tree.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLabel>
#include <QMimeData>

#include <memory>

using namespace sg;
using namespace sg::ui;

namespace {

Value json(const char* text)
{
    auto value = parseJson(text);
    return value ? *value : Value("broken JSON in the test");
}

StateView penguins()
{
    StateView view;
    view.thread = QStringLiteral("alice");
    view.checkpoint = QStringLiteral("b7");
    view.parent = QStringLiteral("b6");
    view.step = 12;
    view.parentStep = 11;
    view.parentValues = json(R"({
        "quality": {"score": 0.61, "issues": ["11 rows lack sex"], "rows": 342},
        "route": "retry", "attempts": 1,
        "messages": [{"type": "human", "content": "Clean the table"}, {"type": "ai", "content": "Which columns?"}],
        "last_error": "KeyError: 'body_mass'", "summary": {"a": 1, "b": 2, "c": 3}, "penguins": null})");
    view.values = json(R"({
        "quality": {"score": 0.97, "issues": [], "rows": 342},
        "route": "ok", "attempts": 2,
        "messages": [{"type": "human", "content": "Clean the table"}, {"type": "ai", "content": "Which columns?"},
                     {"type": "ai", "content": "Filled sex from the bill ratio, because the two measures differ by species and sex"}],
        "summary": {"a": 1, "b": 2, "c": 3}, "penguins": null})");
    view.next = QStringList{ QStringLiteral("visualize"), QStringLiteral("model") };
    return view;
}

TaskRow taskOf(const QString& node, const QString& outcome, const QString& error = {})
{
    TaskRow row;
    row.node = node;
    row.outcome = taskOutcomeNamed(outcome.toStdString());
    row.error = error;
    return row;
}

QString spokenFooter(StatePanel& panel)
{
    const auto* footer = panel.findChild<StateFooter*>();
    return footer->isHidden() ? QString() : footer->accessibleName();
}

QModelIndex find(const QAbstractItemModel& model, const QString& path)
{
    const auto found =
        model.match(model.index(0, 0), StateModel::PathRole, path, 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

} // namespace

class TestStatePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    // A tool that waits for a decision is named as the card that asks names it.
    void theFooterNamesTheCallThatWaits()
    {
        StatePanel panel;
        StateView view = penguins();
        view.tasks = { taskOf(QStringLiteral("reviewer"), QStringLiteral("interrupted")) };
        view.interrupts = { *parseJson(
            "{\"value\": {\"action_requests\": [{\"name\": \"publish\", \"args\": {}}], "
            "\"review_configs\": []}}") };
        panel.setState(view);
        QCOMPARE(spokenFooter(panel), QStringLiteral("reviewer waits for you: Run publish?"));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        StatePanel panel;
        panel.resize(380, 430);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, QStringLiteral("state-empty-") + name);
        StateView view = penguins();
        view.tasks = { taskOf(QStringLiteral("model"), QStringLiteral("failed"),
                              QStringLiteral("MemoryError: unable to allocate 61.0 MiB")) };
        panel.setState(view);
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("state-diff-") + name) != empty);
        auto* mode = panel.findChild<SegmentedControl*>();
        QTest::mouseClick(mode->segment(2), Qt::LeftButton);
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("state-json-") + name) != empty);
        QTest::mouseClick(mode->segment(1), Qt::LeftButton);
        panel.setState(penguins());
        auto* tree = panel.findChild<StateTree*>();
        tree->setCurrentIndex(tree->model()->index(1, 0));
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("state-all-") + name) != empty);
    }

    // A state that cannot be read never leaves the one before it standing.
    void saysWhyNothingIsShown()
    {
        StatePanel panel;
        panel.show();
        panel.setState(penguins());
        panel.setError({ QStringLiteral("The checkpoint b8 is damaged."), {} });
        const auto* tree = panel.findChild<StateTree*>();
        QVERIFY(!tree->isVisible());
        QCOMPARE(tree->model()->rowCount(), 0);
        const auto labels = panel.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("damaged"));
        }));
        panel.setState(penguins());
        QVERIFY(tree->isVisible());
    }

    // Going from step to step never closes what was opened, nor loses the row that questions are asked of.
    void keepsItsPlace()
    {
        StatePanel panel;
        panel.resize(380, 430);
        panel.show();
        panel.setState(penguins());
        auto* tree = panel.findChild<StateTree*>();
        const auto row = [tree](const char* path) { return find(*tree->model(), QLatin1String(path)); };
        tree->expand(row("summary"));
        tree->collapse(row("quality"));
        tree->setCurrentIndex(row("summary.b"));
        StateView next = penguins();
        next.checkpoint = QStringLiteral("b8");
        next.parentValues = next.values;
        next.values = json(R"({"quality": {"score": 0.5}, "summary": {"b": 7}, "messages": []})");
        panel.setState(next);
        QVERIFY(tree->isExpanded(row("summary")));
        QVERIFY(!tree->isExpanded(row("quality")));
        QCOMPARE(tree->currentIndex().siblingAtColumn(0).data(StateModel::PathRole).toString(),
                 QStringLiteral("summary.b"));
        next.thread = QStringLiteral("bob");
        panel.setState(next);
        QVERIFY(!tree->currentIndex().isValid());
    }

    // A list of any length is listed page by page, in a difference with what is the same as one row.
    void pagesLongLists()
    {
        ValueList items(25'000, Value(1));
        const Value was(ValueMap{ { Value("list"), Value(items) } });
        items.push_back(Value("new"));
        const Value now(ValueMap{ { Value("list"), Value(items) } });
        StateModel model;
        model.reset(was, now, true);
        const QModelIndex list = model.index(0, 0);
        QCOMPARE(model.rowCount(list), 4);
        const QModelIndex run = model.index(0, StateModel::ValueColumn, list);
        QCOMPARE(run.data().toString(), formatCount(24'998) + QStringLiteral(" unchanged"));
        const QModelIndex same = model.index(0, 0, list);
        QCOMPARE(model.rowCount(same), 10'000);
        model.fetchMore(same);
        model.fetchMore(same);
        QCOMPARE(model.rowCount(same), 24'998);
        QVERIFY(!model.canFetchMore(same));
        QCOMPARE(model.index(24'997, 0, same).data(StateModel::PointerRole).toString(),
                 QStringLiteral("/list/24997"));
        QCOMPARE(model.index(3, 0, list).data(StateModel::PointerRole).toString(),
                 QStringLiteral("/list/25000"));
    }

    void isAProperModel()
    {
        StateModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const StateView view = penguins();
        model.reset(view.parentValues, view.values, true);
        QCOMPARE(model.rowCount(), 7);
        model.reset(view.parentValues, view.values, false);
        QCOMPARE(model.rowCount(), 6); // what is gone is shown only as a change
        model.reset({}, {}, true);
        QCOMPARE(model.rowCount(), 0);
    }

    void marksChanges_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("sign");
        QTest::addColumn<QString>("old");
        QTest::addColumn<QString>("text");
        QTest::newRow("changed leaf") << "quality.score"
                                      << "~"
                                      << "0.61"
                                      << "0.97";
        QTest::newRow("same") << "quality.rows"
                              << ""
                              << ""
                              << "342";
        QTest::newRow("removed item") << "quality.issues[0]"
                                      << "−"
                                      << ""
                                      << "\"11 rows lack sex\"";
        QTest::newRow("appended item")
            << "messages[2]"
            << "+"
            << ""
            << "\"Filled sex from the bill ratio, because the two measures differ by species and sex\"";
        QTest::newRow("older item") << "messages[1]"
                                    << ""
                                    << ""
                                    << "\"Which columns?\"";
        QTest::newRow("list") << "messages"
                              << "~"
                              << ""
                              << "list, 3 items (1 added)";
        QTest::newRow("removed channel") << "last_error"
                                         << "−"
                                         << ""
                                         << "\"KeyError: 'body_mass'\"";
    }
    void marksChanges()
    {
        QFETCH(QString, path);
        QFETCH(QString, sign);
        QFETCH(QString, old);
        QFETCH(QString, text);
        StateModel model;
        const StateView view = penguins();
        model.reset(view.parentValues, view.values, true);
        const QModelIndex row = find(model, path);
        QVERIFY2(row.isValid(), qPrintable(path));
        QCOMPARE(row.data().toString(), sign);
        QCOMPARE(row.data(StateModel::OldTextRole).toString(), old);
        QCOMPARE(row.siblingAtColumn(StateModel::ValueColumn).data().toString(), text);
    }

    void valuesAreDraggedAsJson()
    {
        StateModel model;
        const StateView view = penguins();
        model.reset(view.parentValues, view.values, true);
        const QModelIndex row =
            find(model, QStringLiteral("quality")).siblingAtColumn(StateModel::ValueColumn);
        QVERIFY(row.flags().testFlag(Qt::ItemIsDragEnabled));
        const std::unique_ptr<QMimeData> data(model.mimeData({ row.siblingAtColumn(0), row }));
        QCOMPARE(data->text(), row.data(StateModel::WholeTextRole).toString());
        QVERIFY(data->text().startsWith(QLatin1Char('{')));
        QCOMPARE(data->data(QStringLiteral("application/json")), data->text().toUtf8());
    }

    void opensWhatChanged()
    {
        StatePanel panel;
        panel.resize(380, 400);
        panel.show();
        panel.setState(penguins());
        const auto* tree = panel.findChild<StateTree*>();
        QVERIFY(tree->isExpanded(find(*tree->model(), QStringLiteral("quality"))));
        QVERIFY(!tree->isExpanded(find(*tree->model(), QStringLiteral("summary"))));
        QCOMPARE(tree->accessibleDescription(), QStringLiteral("1 added, 3 changed, 2 removed"));
    }

    void copiesValuesAndPaths()
    {
        StatePanel panel;
        panel.resize(380, 400);
        panel.show();
        panel.setState(penguins());
        auto* tree = panel.findChild<StateTree*>();
        tree->setCurrentIndex(find(*tree->model(), QStringLiteral("quality.score")));
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0.97"));
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("quality.score"));
    }

    void saysWhatIsNext()
    {
        StatePanel panel;
        panel.show();
        QCOMPARE(spokenFooter(panel), QString());
        StateView view = penguins();
        panel.setState(view);
        QCOMPARE(spokenFooter(panel), QStringLiteral("Next: visualize, model"));
        view.tasks = { taskOf(QStringLiteral("approve"), QStringLiteral("interrupted")) };
        view.interrupts = { Value::map({ { "value", "Send the report?" } }) };
        panel.setState(view);
        QCOMPARE(spokenFooter(panel), QStringLiteral("approve waits for you: Send the report?"));
        view.interrupts = { Value::map(
            { { "value", Value::map({ { "answers", "yes" }, { "question", "Send it to 3 people?" } }) } }) };
        panel.setState(view); // and not "object, 2 keys"
        QCOMPARE(spokenFooter(panel), QStringLiteral("approve waits for you: Send it to 3 people?"));
        view.tasks.push_back(
            taskOf(QStringLiteral("model"), QStringLiteral("failed"), QStringLiteral("MemoryError")));
        panel.setState(view);
        QCOMPARE(spokenFooter(panel), QStringLiteral("model failed: MemoryError"));
        view.tasks.clear();
        view.interrupts.clear();
        view.next.clear();
        panel.setState(view);
        QCOMPARE(spokenFooter(panel), QStringLiteral("Done. Nothing runs after this step."));
        panel.clear();
        QCOMPARE(spokenFooter(panel), QString());
    }
};

SG_WINDOW_TEST(TestStatePanel)
#include "tst_state_panel.moc"
