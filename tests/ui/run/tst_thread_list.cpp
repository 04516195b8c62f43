// The list of threads and the inbox of their questions, as a person works with them by keyboard.

#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/thread_filter.h"
#include "ui/run/thread_list.h"
#include "ui/run/thread_model.h"
#include "ui/widgets/filter_edit.h"

#include <QAbstractItemModelTester>
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

std::vector<ThreadRow> threads()
{
    return { { words("carol"), 4, 0, words("failed") },
             { words("alice"), 21, 0, words("done") },
             { words("bob"), 1, 0, words("interrupted") } };
}

QString shown(const ThreadFilter& filter)
{
    QStringList names;
    for (int row = 0; row < filter.rowCount(); ++row)
        names << filter.index(row, 0).data().toString();
    return names.join(QLatin1Char(' '));
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

class TestThreadList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void finds_data()
    {
        QTest::addColumn<QString>("search");
        QTest::addColumn<QString>("found");
        QTest::newRow("all") << ""
                             << "carol alice bob";
        QTest::newRow("name") << "AL"
                              << "alice";
        QTest::newRow("label") << "try"
                               << "first try";
        QTest::newRow("status") << "status:failed"
                                << "first try";
        QTest::newRow("the word for people") << "status:waiting"
                                             << "bob";
        QTest::newRow("both") << "status:done al"
                              << "alice";
        QTest::newRow("nothing") << "zoe"
                                 << "";
    }
    void finds()
    {
        QFETCH(QString, search);
        QFETCH(QString, found);
        ThreadModel model;
        ThreadFilter filter(&model);
        const QAbstractItemModelTester tester(&filter,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setSourceModel(&model);
        model.reset(threads());
        if (!search.isEmpty())
            model.setLabels({ { words("carol"), words("first try") } });
        filter.setSearch(search);
        QCOMPARE(shown(filter), found);
    }

    void orders_data()
    {
        QTest::addColumn<int>("order");
        QTest::addColumn<QString>("found");
        QTest::newRow("newest") << int(ThreadFilter::Order::Newest) << "carol alice bob";
        QTest::newRow("name") << int(ThreadFilter::Order::Name) << "alice bob carol";
        QTest::newRow("size") << int(ThreadFilter::Order::Size) << "alice carol bob";
        QTest::newRow("status") << int(ThreadFilter::Order::Status) << "bob carol alice";
    }
    void orders()
    {
        QFETCH(int, order);
        QFETCH(QString, found);
        ThreadModel model;
        ThreadFilter filter(&model);
        filter.setSourceModel(&model);
        model.reset(threads());
        filter.setOrder(ThreadFilter::Order(order));
        QCOMPARE(shown(filter), found);
        filter.setOrder(ThreadFilter::Order::Newest);
        QCOMPARE(shown(filter), words("carol alice bob"));
    }

    void deletesWithAWayBack()
    {
        ThreadList list;
        list.resize(240, 300);
        list.show();
        list.setThreads(threads());
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QSignalSpy selected(&list, &ThreadList::threadSelected);
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(list.deleted(), QStringList{ words("alice") });
        QCOMPARE(list.threads(), (QStringList{ words("carol"), words("bob") }));
        QCOMPARE(selected.takeLast().front().toString(), words("bob")); // the next one is shown
        list.setThreads(threads()); // a refresh brings nothing back
        QCOMPARE(list.threads().size(), 2);
        QTest::keyClick(view, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(list.deleted(), QStringList());
        QCOMPARE(selected.takeLast().front().toString(), words("alice"));
        list.setCanDelete(false);
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(list.deleted(), QStringList());
    }

    // Under the name of a deleted thread something runs again: the window must not remove it.
    void whatIsUsedAgainIsKept()
    {
        ThreadList list;
        list.resize(240, 300);
        list.show();
        list.setThreads({ { words("main"), 4, 0, words("done") } });
        list.setCurrent(words("main"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(list.deleted(), QStringList{ words("main") });
        QVERIFY(!view->isVisible()); // the empty state offers Run
        QSignalSpy changed(&list, &ThreadList::deletedChanged);
        list.keep(words("main"));
        list.setStatus(words("main"), words("running"));
        QCOMPARE(list.deleted(), QStringList());
        QCOMPARE(list.threads(), QStringList{ words("main") });
        QVERIFY(view->isVisible());
        QCOMPARE(view->currentIndex().data().toString(), words("main"));
        QCOMPARE(changed.count(), 1);
        list.keep(words("other"));
        QCOMPARE(changed.count(), 1);
    }

    void aBreakpointAsksNobody()
    {
        ThreadModel model;
        ThreadFilter filter(&model);
        filter.setSourceModel(&model);
        model.reset(threads());
        model.setPaused({ { words("bob"), words("publish") }, { words("alice"), words("never") } });
        QCOMPARE(model.indexOf(words("bob")).data(ThreadModel::WordRole).toString(),
                 words("Paused before publish"));
        QCOMPARE(model.indexOf(words("alice")).data(ThreadModel::WordRole).toString(), words("Done"));
        filter.setSearch(words("status:paused"));
        QCOMPARE(shown(filter), words("bob"));
    }

    void aForeignNameIsNoMarkup()
    {
        ThreadModel model;
        model.reset({ { words("<img src=x>&"), 1, 0, words("done") } });
        QCOMPARE(model.index(0).data(Qt::ToolTipRole).toString(), words("<p>&lt;img src=x&gt;&amp;</p>"));
    }

    void aRunningThreadIsNotDeleted()
    {
        ThreadList list;
        list.show();
        list.setThreads({ { words("alice"), 1, 0, words("running") } });
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(list.deleted(), QStringList());
    }

    void givesALabel()
    {
        ThreadList list;
        list.resize(240, 300);
        list.show();
        list.setThreads(threads());
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QSignalSpy edited(&list, &ThreadList::labelEdited);
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->setText(words("second try"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(edited.count(), 1); // the delegate commits a moment later
        QCOMPARE(edited.front(), (QVariantList{ words("alice"), words("second try") }));
        QCOMPARE(list.label(words("alice")), words("second try"));
        QCOMPARE(list.threads(), (QStringList{ words("carol"), words("alice"), words("bob") })); // ids
    }

    void searchingShowsNoOtherThread()
    {
        ThreadList list;
        list.resize(240, 300);
        list.show();
        list.setThreads(threads());
        list.setCurrent(words("alice"));
        QSignalSpy selected(&list, &ThreadList::threadSelected);
        list.findChild<FilterEdit*>()->setFilter(words("bob"));
        list.findChild<FilterEdit*>()->setFilter({});
        QCOMPARE(selected.count(), 0);
        QCOMPARE(list.findChild<QListView*>(words("threadList"))->currentIndex().data().toString(),
                 words("alice"));
    }

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
        QVERIFY(sg::test::pictureOf(inbox, words("inbox-") + name) != empty);
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
};

SG_WINDOW_TEST(TestThreadList)
#include "tst_thread_list.moc"
