// The panel with what a run printed: pictures in both themes, filter, following, copying.

#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "ui/logs/log_panel.h"
#include "ui/logs/log_view.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QDrag>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>

#include <limits>

using namespace sg::ui;

namespace {

std::vector<LogRow> sample(int count = 9)
{
    using Stream = LogRow::Stream;
    const auto s = [](const char* text) { return QString::fromUtf8(text); };
    const std::vector<LogRow> rows{
        { 0, 12, s("check"), Stream::Out, s("quality 0.97 (threshold 0.90), 342 rows, 0 issues") },
        { 705, 13, s("engine"), Stream::Event,
          s("branch check: ok; 3 tasks in parallel: visualize, model, approve") },
        { 814, 13, s("approve"), Stream::Event, s("interrupt: \"Send the report to the field team?\"") },
        { 1096, 13, s("visualize"), Stream::Out, s("drawing mass_by_species.png, 333 rows, species × sex") },
        { 1612, 13, s("model"), Stream::Err,
          s("MemoryError: unable to allocate 61.0 MiB; the session used 512 MB, its limit") },
        { 4564, 13, s("visualize"), Stream::Out, s("saved /session/artifacts/mass_by_species.png (48 kB)") },
    };
    std::vector<LogRow> made;
    for (int i = 0; i < count; ++i) {
        made.push_back(rows[static_cast<std::size_t>(i) % rows.size()]);
        made.back().timeMs += 1'795'271'325'306.0;
    }
    return made;
}

LogView& viewOf(LogPanel& panel)
{
    return *panel.findChild<LogView*>();
}

} // namespace

class TestLogPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        LogPanel panel;
        panel.resize(1100, 180);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, QStringLiteral("log-empty-") + name);
        panel.setRows(sample(1284));
        viewOf(panel).setFocus();
        QTest::keyClick(&viewOf(panel), Qt::Key_End);
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("log-rows-") + name) != empty);
        panel.setFilter(QStringLiteral("status:failed"));
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("log-nothing-") + name) != empty);
    }

    // By the rows that tell of them, not by what a node prints.
    void showsThePicturesThatNodesHaveShown()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        const QString text = QStringLiteral("[figure 12 kB: plot-1.png]");
        panel.setRows({ { 0, 1, QStringLiteral("plot"), LogRow::Stream::Event, text },
                        { 1, 1, QStringLiteral("plot"), LogRow::Stream::Out, text } });
        QCoreApplication::sendPostedEvents();
        QImage red(300, 200, QImage::Format_RGB32);
        red.fill(QColor(255, 0, 0));
        panel.addPicture(QStringLiteral("plot-1.png"), red);
        const QImage shown = panel.grab().toImage();
        int rows = 0;
        for (int y = 0; y < shown.height(); ++y) {
            bool isRed = false;
            for (int x = 0; x < shown.width(); ++x)
                isRed = isRed || shown.pixelColor(x, y) == QColor(255, 0, 0);
            rows += isRed ? 1 : 0;
        }
        const double height = (logRowHeight() - 2) * shown.devicePixelRatio();
        QVERIFY2(rows > height / 2 && rows <= height + 2, qPrintable(QString::number(rows)));
    }

    void filtersByTextAndStream()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.setRows(sample(6));
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(6));
        panel.setFilter(QStringLiteral("node:visualize"));
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(2));
        QCOMPARE(panel.findChild<QLineEdit*>()->text(), QStringLiteral("node:visualize"));
        panel.setFilter({});
        QTest::mouseClick(panel.findChild<SegmentedControl*>()->segment(2), Qt::LeftButton);
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(4));
        panel.append(sample(3));
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(5));
        panel.clear();
        QCOMPARE(viewOf(panel).rows().total(), std::size_t(0));
    }

    void showsTheAuditWhereItIsAskedFor()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        std::vector<LogRow> rows = sample(6);
        rows[2].source = LogRow::Source::Audit;
        panel.setRows(rows);
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(5));
        QCOMPARE(viewOf(panel).rows().total(), std::size_t(5)); // what the switch hides is not counted
        panel.setFilter(QStringLiteral("source:audit"));
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(1));
        panel.setFilter({});
        QTest::mouseClick(panel.findChild<SegmentedControl*>()->segment(3), Qt::LeftButton);
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(6));
    }

    void saysStepZeroAndTintsFailures()
    {
        LogRow row = sample(1).front();
        row.step = 0;
        QVERIFY2(logLine(row).contains(QStringLiteral("  0  ")), qPrintable(logLine(row)));
        const auto picture = [](const LogRow& shown) {
            LogPanel panel;
            panel.resize(900, 120);
            panel.show();
            panel.setRows({ shown });
            return viewOf(panel).viewport()->grab().toImage();
        };
        LogRow engine = row;
        engine.source = LogRow::Source::Engine;
        LogRow none = engine;
        none.step = LogRow::kNoStep;
        QVERIFY(picture(engine) != picture(none)); // its zero is written
        LogRow failed = engine;
        failed.isFailure = true;
        QCOMPARE(picture(failed).pixelColor(1, logRowHeight() / 2), color(&Tokens::failed));
    }

    void clearsAFilterThatFindsNothing()
    {
        LogPanel panel;
        panel.resize(900, 300);
        panel.show();
        panel.setRows(sample(6));
        panel.setFilter(QStringLiteral("nowhere"));
        for (auto* button : panel.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Clear filter"))
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(6));
    }

    void followsUntilScrolledUp()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.setRows(sample(500));
        LogView& view = viewOf(panel);
        QScrollBar* bar = view.verticalScrollBar();
        auto* follow = panel.findChild<QPushButton*>(QStringLiteral("logFollow"));
        QCOMPARE(bar->value(), bar->maximum());
        QVERIFY(follow->isChecked());
        bar->setValue(100);
        QVERIFY(!follow->isChecked());
        panel.append(sample(50));
        QCOMPARE(bar->value(), 100);
        QTest::mouseClick(follow, Qt::LeftButton);
        QCOMPARE(bar->value(), bar->maximum());
        panel.append(sample(50));
        QCOMPARE(bar->value(), bar->maximum());
    }

    void followsAgainAtTheHead()
    {
        LogPanel panel;
        panel.resize(1000, 180);
        panel.show();
        std::vector<LogRow> rows = sample(90);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].timeMs = 1000.0 * static_cast<double>(i);
        panel.setMoment(20'500, true); // before its rows are there
        panel.setRows(rows);
        LogView& view = viewOf(panel);
        const int end = view.verticalScrollBar()->maximum();
        QVERIFY(!view.isFollowing());
        QVERIFY(view.verticalScrollBar()->value() < 21);
        view.verticalScrollBar()->setValue(30); // looking around
        panel.setMoment(std::numeric_limits<double>::quiet_NaN(), true);
        QVERIFY(view.isFollowing());
        QCOMPARE(view.verticalScrollBar()->value(), end);
        view.setFollowing(false);
        panel.setMoment(20'500, true);
        panel.setMoment(std::numeric_limits<double>::quiet_NaN(), true);
        QVERIFY(!view.isFollowing()); // nor was it before
    }

    void keepsItsPlaceWhenReadAgain()
    {
        LogPanel panel;
        panel.resize(1000, 180);
        panel.show();
        std::vector<LogRow> rows = sample(90);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].timeMs = 1000.0 * static_cast<double>(i);
        panel.setRows(rows);
        LogView& view = viewOf(panel);
        view.verticalScrollBar()->setValue(30);
        rows.push_back(rows.back());
        panel.setRows(rows);
        QCOMPARE(view.verticalScrollBar()->value(), 30);
        panel.clear(); // another thread
        panel.setRows(rows);
        QVERIFY(view.isFollowing());
    }

    void namesTheSourcesOfTheFilter()
    {
        LogPanel panel;
        panel.resize(1000, 180);
        panel.setRows(sample());
        const auto* sources = panel.findChild<QPushButton*>(QStringLiteral("logSources"));
        auto* filter = panel.findChild<QLineEdit*>(QStringLiteral("logFilter"));
        sources->menu()->actions()[5]->trigger();
        QCOMPARE(filter->text(), QStringLiteral("source:egress"));
        QTRY_COMPARE(sources->text(), QStringLiteral("Network"));
        panel.setFilter({});
        QTRY_COMPARE(sources->text(), QStringLiteral("All sources"));
        panel.setFilter(QStringLiteral("source:cell"));
        QTRY_COMPARE(sources->text(), QStringLiteral("Console cells"));
        panel.setFilter(QStringLiteral("source:cell source:audit"));
        QTRY_COMPARE(sources->text(), QStringLiteral("Several sources"));
    }

    void copiesLines()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.setRows(sample(6));
        LogView& view = viewOf(panel);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(300, 30));
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[1].endsWith(
                     QStringLiteral("13  approve  event  interrupt: \"Send the report to the field team?\"")),
                 qPrintable(lines[1]));
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("approve")));
        QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 5);
    }

    // A press on a selected line holds all that is selected: a drag takes it along, a click selects the line.
    void dragsWhatIsSelected()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.setRows(sample(6));
        LogView& view = viewOf(panel);
        const QPoint first(300, logRowHeight() / 2);
        const QPoint second = first + QPoint(0, logRowHeight());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, first);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, second);
        const QString selected = view.selectedText();
        QCOMPARE(selected.count(QLatin1Char('\n')), 1);
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(view.selectedText(), selected);
        QMouseEvent move(QEvent::MouseMove, second + QPoint(0, 60), view.viewport()->mapToGlobal(second),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &move);
        const auto* drag = view.findChild<QDrag*>(); // the offscreen platform ends it at once
        QVERIFY(drag != nullptr);
        QCOMPARE(drag->mimeData()->text(), selected);
        QCOMPARE(view.selectedText(), selected);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 0);
    }

    void takesManyLines()
    {
        LogPanel panel;
        panel.resize(900, 200);
        panel.show();
        panel.setRows(sample(200'000));
        QImage picture;
        QBENCHMARK_ONCE
        {
            panel.append(sample(1000));
            picture = panel.grab().toImage();
        }
        QCOMPARE(viewOf(panel).rows().shown(), std::size_t(201'000));
        QVERIFY(sg::test::colourCount(picture) > 8);
    }
};

SG_WINDOW_TEST(TestLogPanel)
#include "tst_log_panel.moc"
