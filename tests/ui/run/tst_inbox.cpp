// The questions of all threads, answered alone and many at once, by keyboard.

#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/run/answer_queue.h"
#include "ui/run/bulk_card.h"
#include "ui/run/inbox_panel.h"

#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromLatin1(text);
}

WaitingRow question(const char* thread, const char* node, const char* interrupt, const char* asked)
{
    WaitingRow row;
    row.thread = words(thread);
    row.node = words(node);
    row.step = 3;
    row.interrupt = words(interrupt);
    row.asked = *parseJson(asked);
    row.sinceMs = 0;
    return row;
}

} // namespace

class TestInbox : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void inboxPaints_data() { sg::test::themes(); }
    void inboxPaints()
    {
        const QString name = sg::test::useTheme();
        InboxPanel inbox;
        inbox.resize(380, 420);
        inbox.show();
        const QImage empty = sg::test::pictureOf(inbox, words("inbox-empty-") + name);
        inbox.setNext({ { words("approve"), { words("publish") } } });
        inbox.setWaiting(
            { question("alice", "approve", "i1",
                       "{\"action_requests\": [{\"name\": \"send_mail\", \"args\": {\"to\": "
                       "\"field-team@palmer.example\"}}]}"),
              question("bob", "clean", "i2",
                       "{\"question\": \"Drop 11 rows without sex?\", \"answers\": [\"yes\", \"no\"]}") });
        QCoreApplication::sendPostedEvents();
        const QImage filled = sg::test::pictureOf(inbox, words("inbox-") + name);
        QVERIFY(filled != empty);
        inbox.findChild<QListView*>()->selectAll();
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(inbox, words("inbox-bulk-") + name) != filled);
        inbox.setError({ words("The database is damaged; put a copy in its place."), {} });
        sg::test::pictureOf(inbox, words("inbox-error-") + name);
    }

    void whatIsTypedStays()
    {
        InboxPanel inbox;
        inbox.resize(380, 420);
        inbox.show();
        const std::vector<WaitingRow> rows{ question("alice", "approve", "i1", "{\"question\": \"Send?\"}") };
        inbox.setWaiting(rows);
        auto* answer = inbox.findChild<QLineEdit*>();
        answer->setText(words("not before"));
        inbox.setWaiting(rows);
        inbox.setNext({ { words("approve"), { words("publish") } } });
        inbox.setLabels({ { words("alice"), { words("first try"), {} } } });
        std::vector<WaitingRow> more = rows;
        more.insert(more.begin(), question("bob", "clean", "i2", "{\"question\": \"Drop?\"}"));
        inbox.setWaiting(more);
        QCOMPARE(answer->text(), words("not before"));
        inbox.setWaiting({ question("alice", "approve", "i1", "{\"question\": \"Really?\"}") });
        QCOMPARE(answer->text(), QString()); // it asks something else
    }

    void aFileThatIsOnlyReadIsNotAnswered()
    {
        InboxPanel inbox;
        inbox.resize(380, 420);
        inbox.show();
        inbox.setCanAnswer(false, words("only read"));
        inbox.setWaiting(
            { question("alice", "approve", "i1", "{\"question\": \"Send?\", \"answers\": [\"yes\"]}") });
        QSignalSpy answered(&inbox, &InboxPanel::answered);
        for (QPushButton* button : inbox.findChildren<QPushButton*>()) {
            if (!button->isVisible())
                continue;
            QVERIFY(!button->isEnabled());
            QCOMPARE(button->toolTip(), words("only read"));
        }
        QTest::keyClick(inbox.findChild<QLineEdit*>()->parentWidget(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(answered.count(), 0);
        inbox.setCanAnswer(true);
        QTest::keyClick(inbox.findChild<QLineEdit*>()->parentWidget(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(answered.count(), 1);
    }

    void inboxAnswersByKeys()
    {
        InboxPanel inbox;
        inbox.resize(380, 420);
        inbox.show();
        inbox.setWaiting(
            { question("alice", "approve", "i1", "{\"question\": \"Send?\", \"answers\": [\"yes\", \"no\"]}"),
              question("bob", "clean", "i2", "{\"question\": \"Drop?\", \"answers\": [\"yes\", \"no\"]}") });
        QSignalSpy answered(&inbox, &InboxPanel::answered);
        QSignalSpy chosen(&inbox, &InboxPanel::threadChosen);
        inbox.focusNext();
        QCOMPARE(chosen.takeLast().front().toString(), words("alice"));
        QVERIFY(qobject_cast<QPushButton*>(inbox.focusWidget()) != nullptr);
        QTest::keyClick(inbox.focusWidget(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(answered.takeLast(), (QVariantList{ words("alice"), words("i1"), words("\"yes\"") }));
        inbox.focusNext();
        QCOMPARE(chosen.takeLast().front().toString(), words("bob"));
        QVERIFY(qobject_cast<QPushButton*>(inbox.focusWidget()) != nullptr);
        QTest::keyClick(inbox.focusWidget(), Qt::Key_Backspace, Qt::ControlModifier);
        QCOMPARE(answered.takeLast(), (QVariantList{ words("bob"), words("i2"), words("\"no\"") }));
        inbox.setWaiting({});
        inbox.focusNext();
        QCOMPARE(answered.count(), 0);
    }

    void manyAreAnsweredAtOnce()
    {
        InboxPanel inbox;
        inbox.resize(380, 520);
        inbox.show();
        std::vector<WaitingRow> rows;
        for (int i = 0; i < 50; ++i)
            rows.push_back(question(qPrintable(QStringLiteral("t%1").arg(i)), "approve",
                                    qPrintable(QStringLiteral("i%1").arg(i)),
                                    i % 2 == 0 ? "{\"question\": \"Send?\", \"answers\": [\"yes\", \"no\"]}"
                                               : "{\"question\": \"How many?\"}"));
        inbox.setWaiting(rows);
        QSignalSpy answered(&inbox, &InboxPanel::answered);
        auto* list = inbox.findChild<QListView*>();
        inbox.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&inbox));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(list->selectionModel()->selectedIndexes().size(), 25); // those that ask what the first asks
        auto* bulk = inbox.findChild<BulkCard*>();
        QVERIFY(bulk->isVisible());
        QTest::keyClick(list, Qt::Key_Backspace, Qt::ControlModifier); // without leaving the list
        QCOMPARE(answered.count(), 25);
        QCOMPARE(answered.last(), (QVariantList{ words("t48"), words("i48"), words("\"no\"") }));
        answered.clear();

        QSet<QString> given; // as they are taken, one after the other
        for (int i = 0; i < 40; ++i) {
            given.insert(QStringLiteral("t%1/i%1").arg(i));
            inbox.setGiven(given);
        }
        QVERIFY2(inbox.minimumSizeHint().width() < 600,
                 qPrintable(QString::number(inbox.minimumSizeHint().width())));
        inbox.setGiven({});
        QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(bulk, Qt::Key_Return, Qt::ControlModifier); // half of them can be approved
        QCOMPARE(answered.count(), 25);
        answered.clear();
        bulk->findChild<QLineEdit*>()->setText(words("12"));
        QTest::keyClick(bulk, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(answered.count(), 50);
        QCOMPARE(answered.last(), (QVariantList{ words("t49"), words("i49"), words("12") }));
    }

    void whatIsAnsweredIsNotAnsweredAgain()
    {
        InboxPanel inbox;
        inbox.resize(380, 520);
        inbox.show();
        const char* asked = "{\"question\": \"Send?\", \"answers\": [\"yes\", \"no\"]}";
        inbox.setWaiting({ question("alice", "approve", "i1", asked),
                           question("alice", "approve", "i2", asked),
                           question("bob", "approve", "i3", asked) });
        QSignalSpy answered(&inbox, &InboxPanel::answered);
        inbox.setGiven({ words("alice/i1") });
        inbox.findChild<QListView*>()->selectAll();
        auto* bulk = inbox.findChild<BulkCard*>();
        QTest::keyClick(bulk, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(answered.count(), 2);
        QCOMPARE(answered.first().at(1).toString(), words("i2"));
        inbox.setGiven({ words("alice/i1"), words("alice/i2") });
        QSignalSpy chosen(&inbox, &InboxPanel::threadChosen);
        inbox.focusNext();
        QCOMPARE(chosen.takeLast().front().toString(), words("bob"));
    }

    void answersWaitForTheRunOfTheirThread()
    {
        AnswerQueue queue;
        QSignalSpy ready(&queue, &AnswerQueue::ready);
        using Answers = QHash<QString, QString>;
        queue.give(words("alice"), words("i1"), words("1"));
        queue.give(words("alice"), words("i2"), words("2"));
        queue.give(words("bob"), words("i3"), words("3"));
        QTRY_COMPARE(ready.count(), 2); // a run a thread
        QHash<QString, Answers> got;
        for (const QVariantList& each : ready)
            got.insert(each.at(0).toString(), each.at(1).value<Answers>());
        QCOMPARE(got.value(words("alice")),
                 (Answers{ { words("i1"), words("1") }, { words("i2"), words("2") } }));
        ready.clear();
        queue.give(words("alice"), words("i4"), words("4"));
        QCoreApplication::processEvents();
        QCOMPARE(ready.count(), 0); // it runs
        QVERIFY(queue.given().contains(words("alice/i1")));
        queue.noteRefused(words("carol")); // nobody waits for it
        queue.noteEnded(words("alice"), RunStatus::Done);
        QTRY_COMPARE(ready.count(), 1);
        QCOMPARE(ready.front().at(1).value<Answers>(), (Answers{ { words("i4"), words("4") } }));
        QCOMPARE(queue.given(), (QSet<QString>{ words("alice/i4"), words("bob/i3") }));
    }

    void aRunThatIsStoppedStartsNoOther_data()
    {
        QTest::addColumn<QString>("status");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("stopped") << words("stopped") << false;
        QTest::newRow("failed") << words("failed") << false;
        QTest::newRow("recursion limit") << words("recursion_limit") << false;
        QTest::newRow("interrupted") << words("interrupted") << true;
        QTest::newRow("done") << words("done") << true;
    }
    void aRunThatIsStoppedStartsNoOther()
    {
        QFETCH(QString, status);
        QFETCH(bool, goesOn);
        AnswerQueue queue;
        QSignalSpy ready(&queue, &AnswerQueue::ready);
        QSignalSpy back(&queue, &AnswerQueue::givenBack);
        queue.noteStarted(words("alice"));
        queue.give(words("alice"), words("i1"), words("1"));
        queue.give(words("alice"), words("i2"), words("2"));
        QTest::qWait(0);
        queue.noteEnded(words("alice"), runStatusNamed(status.toStdString()));
        QTest::qWait(20);
        QCOMPARE(ready.count(), goesOn ? 1 : 0);
        QCOMPARE(queue.given().isEmpty(), !goesOn); // they can be answered again
        QCOMPARE(back.count(), goesOn ? 0 : 1);
        if (!goesOn)
            QCOMPARE(back.front(), (QVariantList{ words("alice"), 2 }));
    }

    void aRefusalOfAnotherRunFreesNoThread()
    {
        AnswerQueue queue;
        QSignalSpy ready(&queue, &AnswerQueue::ready);
        QSignalSpy back(&queue, &AnswerQueue::givenBack);
        queue.noteStarted(words("alice"));
        queue.give(words("alice"), words("i1"), words("1"));
        queue.noteRefused(words("alice")); // of one that was asked for meanwhile
        QTest::qWait(20);
        QVERIFY(ready.isEmpty() && back.isEmpty());
        QVERIFY(queue.isBusy(words("alice")));
        queue.noteEnded(words("alice"), RunStatus::Done);
        QTRY_COMPARE(ready.count(), 1);
        queue.give(words("alice"), words("i2"), words("2"));
        queue.noteRefused(words("alice")); // the one of i1 itself
        QCOMPARE(back.takeFirst(), (QVariantList{ words("alice"), 2 }));
        QVERIFY(queue.given().isEmpty() && !queue.isBusy(words("alice")));
        QTest::qWait(20);
        QCOMPARE(ready.count(), 1); // not again by itself
    }

    void questionsThatCannotBeReadAreAskedForAgain()
    {
        InboxPanel inbox;
        inbox.resize(380, 420);
        inbox.show();
        inbox.setError({ words("The database is damaged."), {} });
        QSignalSpy again(&inbox, &InboxPanel::readAgain);
        for (QPushButton* button : inbox.findChildren<QPushButton*>())
            if (button->isVisible())
                button->click();
        QCOMPARE(again.count(), 1);
        inbox.setWaiting({});
        QVERIFY(!inbox.findChild<QPushButton*>()->isVisible());
    }
};

SG_WINDOW_TEST(TestInbox)
#include "tst_inbox.moc"
