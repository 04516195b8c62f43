// The search line, what it offers, and what it shows of answers.

#include "tests/support/window_style.h"
#include "ui/search/query_edit.h"
#include "ui/search/search_model.h"
#include "ui/search/search_panel.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QCompleter>
#include <QSignalSpy>
#include <QTableView>

using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromLatin1(text);
}

SearchRows found(const QString& query)
{
    SearchRows rows;
    rows.query = query;
    rows.hits = { { SearchHit::Kind::Task,
                    words("alice"),
                    words("c1"),
                    {},
                    words("agent"),
                    120,
                    words("failed"),
                    1.7e12,
                    words("TimeoutError: no answer\nTraceback") },
                  { SearchHit::Kind::Log, words("bob"), words("c2"), words("r"), words("agent"), 3,
                    words("stdout"), 1.7e12, words("waiting") } };
    rows.found = 2;
    rows.seconds = 0.02;
    return rows;
}

} // namespace

class TestSearchPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void asksAndLeadsThere()
    {
        SearchPanel panel;
        panel.resize(900, 300);
        panel.show();
        QSignalSpy asked(&panel, &SearchPanel::searchRequested);
        QSignalSpy marks(&panel, &SearchPanel::marksChanged);
        QSignalSpy chosen(&panel, &SearchPanel::hitChosen);
        panel.ask(words("status:failed"));
        QCOMPARE(asked.takeLast().front().toString(), words("status:failed"));
        panel.setFound(found(words("an older question")));
        QVERIFY(!panel.findChild<QTableView*>()->isVisible());
        panel.setFound(found(words("status:failed")));
        auto* table = panel.findChild<QTableView*>();
        QVERIFY(table->isVisible());
        QAbstractItemModelTester tester(table->model());
        QCOMPARE(table->model()->index(0, SearchModel::WhereColumn).data().toString(),
                 words("alice, step 120"));
        QCOMPARE(table->model()->index(0, SearchModel::TextColumn).data().toString(),
                 words("TimeoutError: no answer"));
        QCOMPARE(marks.takeLast().front().value<std::vector<SearchHit>>().size(), std::size_t(2));
        QTest::keyClick(panel.findChild<QueryEdit*>(), Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), 0);
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen.takeLast().front().value<SearchHit>().checkpoint, words("c2"));
    }

    void whatIsLookedAtStaysInPlace()
    {
        SearchPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.ask(words("is:log"));
        SearchRows rows = found(words("is:log"));
        rows.hits.assign(50, SearchHit(rows.hits[1]));
        for (int i = 0; i < 50; ++i)
            rows.hits[static_cast<std::size_t>(i)].step = i;
        panel.setFound(rows);
        auto* table = panel.findChild<QTableView*>();
        table->setCurrentIndex(table->model()->index(22, 0));
        table->scrollTo(table->model()->index(20, 0), QAbstractItemView::PositionAtTop);
        QCOMPARE(table->rowAt(0), 20);
        QSignalSpy reset(table->model(), &QAbstractItemModel::modelReset);
        panel.setFound(rows);
        QCOMPARE(reset.count(), 0);
        rows.hits.insert(rows.hits.begin(), 3, found({}).hits[0]);
        panel.setFound(rows);
        QCOMPARE(reset.count(), 1);
        QCOMPARE(table->currentIndex().row(), 25);
        QCOMPARE(table->rowAt(0), 23);
    }

    void isAskedAgainWhereSomebodyLooks()
    {
        SearchPanel panel;
        panel.show();
        panel.ask(words("is:log"));
        QSignalSpy asked(&panel, &SearchPanel::searchRequested);
        panel.askAgain();
        QCOMPARE(asked.count(), 1);
        panel.hide();
        panel.askAgain();
        panel.askAgain();
        QCOMPARE(asked.count(), 1);
        panel.show();
        QCOMPARE(asked.count(), 2);
        panel.hide();
        panel.show();
        QCOMPARE(asked.count(), 2);
    }

    void whatStandsInADatabaseIsNoMarkup()
    {
        SearchModel model;
        SearchHit hit;
        hit.text = words("<img src='x'><b>one</b>\n") + QString(100'000, QLatin1Char('x'));
        model.setHits({ hit });
        const QString tip = model.index(0, SearchModel::TextColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.startsWith(words("<p>&lt;img src='x'&gt;&lt;b&gt;one")), qPrintable(tip.left(80)));
        QVERIFY(tip.size() < 3000);
        SqlRows rows;
        rows.columns = QStringList{ words("c") };
        rows.rows = { { words("<a href='x'>") } };
        model.setTable(rows);
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), words("<p>&lt;a href='x'&gt;</p>"));
    }

    void saysWhatIsWrongAndWhatIsNotThere()
    {
        SearchPanel panel;
        panel.resize(900, 300);
        panel.show();
        panel.ask(words("colour:red"));
        SearchRows rows;
        rows.query = words("colour:red");
        rows.error = { words("there is no field 'colour'"), {} };
        rows.errorAt = 0;
        panel.setFound(rows);
        const auto visible = [&panel] {
            for (EmptyState* state : panel.findChildren<EmptyState*>())
                if (state->isVisible())
                    return state->accessibleName() + state->accessibleDescription();
            return QString();
        };
        QVERIFY2(visible().contains(words("At character 1")), qPrintable(visible()));
        rows.error = {};
        panel.setFound(rows);
        QVERIFY2(visible().contains(words("Nothing matches")), qPrintable(visible()));
        QSignalSpy asked(&panel, &SearchPanel::searchRequested);
        for (QAbstractButton* button : panel.findChildren<QAbstractButton*>())
            if (button->isVisible() && button->text() == words("Clear"))
                button->click();
        QVERIFY(panel.findChild<QueryEdit*>()->text().isEmpty());
        QCOMPARE(asked.count(), 1); // what is under way ends
        QVERIFY(asked.front().front().toString().isEmpty());
    }

    void completes()
    {
        SearchPanel panel;
        panel.resize(900, 300);
        panel.show();
        panel.setVocabulary({ { "agent", "load data" }, { "alice" } });
        auto* line = panel.findChild<QueryEdit*>();
        line->setFocus();
        QTest::keyClicks(line, words("node:l"));
        auto* popup = line->findChild<QCompleter*>()->popup();
        QVERIFY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Return);
        QCOMPARE(line->text(), words("node:\"load data\""));
    }

    void sqlIsAskedByEnterAlone()
    {
        SearchPanel panel;
        panel.resize(900, 300);
        panel.show();
        QSignalSpy searched(&panel, &SearchPanel::searchRequested);
        QSignalSpy asked(&panel, &SearchPanel::sqlRequested);
        panel.findChild<SegmentedControl*>()->segment(1)->click();
        auto* line = panel.findChild<QueryEdit*>();
        QTest::keyClicks(line, words("SELECT 1"));
        QTest::qWait(200); // typing has paused
        QCOMPARE(searched.count() + asked.count(), 0);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(asked.takeLast().front().toString(), words("SELECT 1"));
        SqlRows rows;
        rows.sql = words("SELECT 1");
        rows.columns = QStringList{ words("thread_id"), words("checkpoint_id") };
        rows.rows = { { words("alice"), words("c1") } };
        rows.marks = { { SearchHit::Kind::Checkpoint, words("alice"), words("c1") } };
        panel.setAnswer(rows);
        auto* table = panel.findChild<QTableView*>();
        QCOMPARE(table->model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
                 words("checkpoint_id"));
        QSignalSpy chosen(&panel, &SearchPanel::hitChosen);
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen.takeLast().front().value<SearchHit>().checkpoint, words("c1"));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        SearchPanel panel;
        panel.resize(1000, 220);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, words("search-empty-") + name);
        panel.ask(words("status:failed"));
        panel.setFound(found(words("status:failed")));
        QVERIFY(sg::test::pictureOf(panel, words("search-") + name) != empty);
        panel.ask(words("x:1"));
        SearchRows rows;
        rows.query = words("x:1");
        rows.error = { words("there is no field 'x'; there are: is, status, node"), {} };
        rows.errorAt = 0;
        panel.setFound(rows);
        sg::test::pictureOf(panel, words("search-error-") + name);
    }
};

SG_WINDOW_TEST(TestSearchPanel)
#include "tst_search_panel.moc"
