// All threads on one clock, as a user meets it.

#include "tests/support/window_style.h"
#include "ui/timeline/overview/thread_overview.h"

#include <QSignalSpy>

using namespace sg::ui;

namespace {

constexpr double kDay = 86'400'000;
constexpr double kStart = 1'795'271'000'000.0;

QString word(const char* text)
{
    return QString::fromLatin1(text);
}

std::vector<OverviewRow> project()
{
    std::vector<OverviewRow> rows;
    for (const auto& [name, status] : { std::pair("nightly", "done"), std::pair("alice", "interrupted"),
                                        std::pair("bob", "failed"), std::pair("empty", "done") })
        rows.push_back({ word(name), sg::runStatusNamed(status), kStart, 12, {}, {} });
    for (int day = 0; day < 3; ++day) {
        const double at = kStart + day * kDay;
        rows[0].runs.push_back({ word("n"), at, at + 90'000, sg::RunStatus::Done, 12 });
        rows[0].sessions.push_back({ word("s-1"), at + 1000, at + 88'000 });
    }
    rows[1].runs.push_back(
        { word("a"), kStart + kDay + 20'000, kStart + kDay + 50'000, sg::RunStatus::Interrupted, 3 });
    rows[1].sessions.push_back({ word("s-2"), kStart + kDay + 20'000, kUnknown });
    rows[2].runs.push_back({ word("b1"), kStart + 30'000, kStart + 60'000, sg::RunStatus::Failed, 5 });
    rows[2].runs.push_back({ word("b2"), kStart + kDay + 60'000, kUnknown, sg::RunStatus::Unfinished, 1 });
    return rows;
}

} // namespace

class TestThreadOverview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        ThreadOverview view;
        view.resize(1200, 28 + 4 * 32 + 20);
        view.show();
        const QImage empty = sg::test::pictureOf(view, QStringLiteral("overview-empty-") + name);
        view.setRows(project());
        view.setCurrent(word("alice"));
        const QImage picture = sg::test::pictureOf(view, QStringLiteral("overview-") + name);
        QVERIFY(picture != empty);
        QVERIFY(sg::test::colourCount(picture) > 20);
    }

    void nightsAreFolded()
    {
        ThreadOverview view;
        view.resize(1200, 200);
        view.show();
        view.setRows(project());
        for (int run = 0; run < 3; ++run) // days apart, and still all in sight
            QVERIFY(view.rect().contains(view.runRect(0, run).toRect()));
        QVERIFY(view.runRect(0, 0).width() > 60);
        QVERIFY(view.runRect(0, 0).right() <= view.runRect(0, 1).left());
    }

    void aRunLeadsToItsThreadAndMoment()
    {
        ThreadOverview view;
        view.resize(1200, 200);
        view.show();
        view.setRows(project());
        QSignalSpy chosen(&view, &ThreadOverview::threadChosen);
        QSignalSpy moment(&view, &ThreadOverview::momentChosen);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.runRect(2, 0).center().toPoint());
        QCOMPARE(chosen.takeFirst().front().toString(), word("bob"));
        QCOMPARE(moment.takeFirst()[1].toDouble(), kStart + 60'000);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          QPoint(20, view.runRect(0, 0).center().toPoint().y()));
        QCOMPARE(chosen.takeFirst().front().toString(), word("nightly"));
        QVERIFY(moment.isEmpty());
    }

    void keysChoose()
    {
        ThreadOverview view;
        view.resize(1200, 200);
        view.show();
        view.setRows(project());
        view.setLabels({ { word("bob"), word("Bob's thread") } });
        QSignalSpy chosen(&view, &ThreadOverview::threadChosen);
        QTest::keyClick(&view, Qt::Key_End);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.accessibleDescription(), word("Bob's thread, Failed, 2 runs, row 3 of 4"));
        QVERIFY(chosen.isEmpty()); // moving shows nothing yet
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst().front().toString(), word("bob"));
        const double before = view.runRect(0, 0).width();
        QTest::keyClick(&view, Qt::Key_W);
        QVERIFY(view.runRect(0, 0).width() > before * 1.2);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(std::abs(view.runRect(0, 0).width() - before) < 1);
    }
};

SG_WINDOW_TEST(TestThreadOverview)
#include "tst_thread_overview.moc"
