// The history of the selected thread and the book of threads: what panels ask, whatever order they listen in.

#include "tests/support/test_main.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sg::ui;
using sg::ui::sample::checkpoint;

namespace {

QString word(const char* text)
{
    return QString::fromLatin1(text);
}

struct Shown {
    void show(const HistoryRows& rows)
    {
        selection.setThread(rows.thread);
        history.take(rows);
    }
    Selection selection;
    ShownHistory history{ selection };
};

// A part of a chain of checkpoints "0", "1" …, a second apart; the thread has those before `to`.
HistoryRows chain(int from, int to)
{
    HistoryRows rows;
    rows.thread = word("long");
    rows.total = to;
    for (int i = from; i < to; ++i) {
        rows.checkpoints.push_back(
            checkpoint(QString::number(i), i == 0 ? QString() : QString::number(i - 1), i, {}, {}));
        rows.checkpoints.back().timeMs = i * 1000;
        rows.checkpoints.back().source = sg::checkpoint::Source::Loop;
    }
    return rows;
}

} // namespace

class TestShownHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Between two checkpoints, along one branch and over its fork.
    void goesToMoments()
    {
        Shown shown;
        shown.show(sample::penguins());
        const ShownHistory& history = shown.history;
        int told = 0;
        connect(&history, &ShownHistory::momentChanged, this, [&told] { ++told; });
        const auto go = [&](double seconds, int lane) {
            shown.history.goToMoment(sample::kStart + seconds * 1000, lane);
            const double moment = history.moment();
            return history.current() + QLatin1Char(' ')
                + (std::isnan(moment) ? word("now") : QString::number((moment - sample::kStart) / 1000))
                + QLatin1Char(' ')
                + (history.isMomentBetween() ? QString::number(history.secondsInto(), 'f', 1) : word("–"));
        };
        QCOMPARE(go(7, 1), word("a3 7 1.0")); // the branch's way begins in its parent's lane
        QCOMPARE(told, 1);
        QCOMPARE(go(16, 1), word("b6 16 1.0"));
        QCOMPARE(go(18, 1), word("b7 18 –"));
        QCOMPARE(go(19.2, 1), word("b7 19.2 1.2"));
        QCOMPARE(told, 4);
        QCOMPARE(go(60, 1), word("b7 18 –")); // all that happened there was over
        QCOMPARE(go(-60, 1), word("a0 -3 –"));
        QCOMPARE(go(16, 0), word("a5 12 –"));
        QCOMPARE(go(13, 0), word("a5 13 1.0"));
        shown.selection.returnToHead();
        QVERIFY(std::isnan(history.moment()));
    }

    // Whoever hears of a selection asks the history at once: it never answers with another thread's rows.
    void theFirstListenerFindsWhatIsSelected()
    {
        Shown shown;
        shown.show(sample::penguins());
        QStringList heard;
        const auto hear = [&] {
            heard << shown.history.model().thread() + QLatin1Char(' ') + shown.history.current();
        };
        QObject::connect(&shown.selection, &Selection::threadChanged, &shown.selection, hear);
        QObject::connect(&shown.selection, &Selection::checkpointChanged, &shown.selection, hear);
        QObject::connect(&shown.history, &ShownHistory::currentChanged, &shown.selection, hear);
        shown.selection.setCheckpoint(word("b7"));
        QCOMPARE(heard, (QStringList{ word("alice b7"), word("alice b7") }));
        heard.clear();
        shown.selection.setThread(word("bob"));
        QCOMPARE(heard.front(), word("bob "));
        QCOMPARE(shown.history.rows().thread, word("bob"));
        QVERIFY(shown.history.rows().checkpoints.empty());
    }

    void rowsOfOtherThreadsArePassedOver()
    {
        Shown shown;
        shown.show(sample::penguins());
        const int count = shown.history.count();
        QSignalSpy changed(&shown.history, &ShownHistory::changed);
        shown.history.take(chain(0, 3));
        shown.history.add(word("long"), chain(3, 4).checkpoints);
        shown.history.changeTasks(word("long"), { TaskRow() });
        QCOMPARE(shown.history.count(), count);
        QCOMPARE(changed.count(), 0);
    }

    void goesWhereItIsReadLater()
    {
        Shown shown;
        shown.show(sample::penguins());
        shown.history.goToTime(word("long"), 20'500);
        shown.history.take({ word("long"), {}, {} });
        shown.history.take(chain(50, 100));
        QVERIFY(!shown.history.isWhole());
        QVERIFY(shown.selection.isAtHead());
        shown.history.expectWhole(100);
        shown.history.takePage(chain(0, 100), true);
        QCOMPARE(shown.selection.checkpoint(), word("20"));
        shown.history.goToMadeFrom(word("long"), word("41"));
        QCOMPARE(shown.selection.checkpoint(), word("42"));
        shown.history.goToMadeFrom(word("long"), word("98"));
        QVERIFY(shown.selection.isAtHead()); // the head is followed
    }

    void theUserGoesElsewhereMeanwhile()
    {
        Shown shown;
        shown.selection.setThread(word("long"));
        shown.history.take(chain(50, 100));
        shown.history.goToTime(word("long"), 20'500);
        shown.selection.setCheckpoint(word("70"));
        shown.history.expectWhole(100);
        shown.history.takePage(chain(0, 100), true);
        QCOMPARE(shown.selection.checkpoint(), word("70"));
    }

    void aSelectedStepIsAwaited()
    {
        Shown shown;
        shown.selection.setThread(word("long"));
        shown.selection.setCheckpoint(word("20"));
        QVERIFY(shown.history.isAwaiting());
        shown.history.add(word("long"), chain(100, 101).checkpoints); // a run goes on meanwhile
        QVERIFY(shown.history.isAwaiting());
        shown.history.take(chain(50, 100));
        QVERIFY(shown.history.isAwaiting());
        QCOMPARE(shown.history.current(), word("99"));
        QSignalSpy current(&shown.history, &ShownHistory::currentChanged);
        shown.history.expectWhole(100);
        shown.history.takePage(chain(0, 100), true);
        QVERIFY(!shown.history.isAwaiting());
        QCOMPARE(shown.history.current(), word("20"));
        QCOMPARE(current.count(), 1);
    }

    void panelsSeeAPartOfALongHistory()
    {
        Shown shown;
        shown.selection.setThread(word("long"));
        shown.history.take(chain(0, 4000));
        QCOMPARE(shown.history.rows().checkpoints.size(), std::size_t(4000)); // as it was read
        shown.selection.setCheckpoint(word("2000"));
        const HistoryRows& seen = shown.history.rows();
        QCOMPARE(seen.total, 4000);
        QVERIFY(seen.checkpoints.size() < 2000);
        QCOMPARE(seen.checkpoints.back().id, word("3999"));
        shown.history.add(word("long"), chain(4000, 4001).checkpoints);
        QVERIFY(shown.history.rows().checkpoints.size() <= 1000);
        QCOMPARE(shown.history.rows().checkpoints.back().id, word("4000"));
    }

    void theBookKnowsWhatIsDeleted()
    {
        ThreadBook book;
        book.setThreads(
            { { word("a"), 1, 0, sg::RunStatus::Done }, { word("b"), 2, 0, sg::RunStatus::Running } });
        QVERIFY(book.isRunning(word("b")));
        book.remove(word("a"));
        QCOMPARE(book.threads(), QStringList{ word("b") });
        QVERIFY(!book.contains(word("a")));
        QVERIFY(book.status(word("a")) == sg::RunStatus::Done);
        QCOMPARE(book.bringBack(), word("a"));
        QVERIFY(book.contains(word("a")));
        book.setNotes({ { word("a"), { word("first try"), { { word("c1"), word("why") } } } } });
        QCOMPARE(book.label(word("a")), word("first try"));
        QCOMPARE(book.bookmarks(word("a")).value(word("c1")), word("why"));
        QCOMPARE(book.label(word("b")), word("b"));
    }
};

SG_CORE_TEST(TestShownHistory)
#include "tst_shown_history.moc"
