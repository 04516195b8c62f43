// The list of threads, as a person works with it by keyboard.

#include "tests/support/window_style.h"
#include "ui/bridge/clients.h"
#include "ui/run/thread_filter.h"
#include "ui/run/thread_list.h"
#include "ui/run/thread_model.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
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
    return { { words("carol"), 4, 0, RunStatus::Failed },
             { words("alice"), 21, 0, RunStatus::Done },
             { words("bob"), 1, 0, RunStatus::Interrupted } };
}

QString shown(const ThreadFilter& filter)
{
    QStringList names;
    for (int row = 0; row < filter.rowCount(); ++row)
        names << filter.index(row, 0).data().toString();
    return names.join(QLatin1Char(' '));
}

} // namespace

class TestThreadList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void asksForNoMoreRoomThanWithoutThreads()
    {
        ThreadBook book;
        ThreadList list(book);
        list.show();
        const int least = list.minimumSizeHint().height();
        book.setThreads(threads());
        QCoreApplication::sendPostedEvents();
        QVERIFY2(list.minimumSizeHint().height() <= least, qPrintable(QString::number(least)));
    }

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

    // With the parts of a window it needs nobody who tells it what is shown.
    void followsTheSelectionByItself()
    {
        Clients clients;
        Selection selection;
        ThreadBook book;
        ShownHistory history(selection);
        ClientFeed feed(clients, { selection, book, history });
        ThreadList list(PanelParts{ clients, selection, book, history, feed });
        list.resize(240, 300);
        list.show();
        const auto* view = list.findChild<QListView*>(words("threadList"));
        const auto current = [view] { return view->currentIndex().data().toString(); };
        selection.setThread(words("bob")); // before the threads were read
        book.setThreads(threads());
        QCOMPARE(current(), words("bob"));
        selection.setThread(words("alice"));
        QCOMPARE(current(), words("alice"));
        book.setThreads(threads());
        QCOMPARE(current(), words("alice"));
    }

    void deletesWithAWayBack()
    {
        ThreadBook book;
        ThreadList list(book);
        list.resize(240, 300);
        list.show();
        book.setThreads(threads());
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QSignalSpy selected(&list, &ThreadList::threadSelected);
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(book.deleted(), QStringList{ words("alice") });
        QCOMPARE(book.threads(), (QStringList{ words("carol"), words("bob") }));
        QCOMPARE(selected.takeLast().front().toString(), words("bob")); // the next one is shown
        book.setThreads(threads()); // a refresh brings nothing back
        QCOMPARE(book.threads().size(), 2);
        QTest::keyClick(view, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(book.deleted(), QStringList());
        QCOMPARE(selected.takeLast().front().toString(), words("alice"));
        list.setCanDelete(false);
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(book.deleted(), QStringList());
    }

    // Under the name of a deleted thread something runs again: the window must not remove it.
    void whatIsUsedAgainIsKept()
    {
        ThreadBook book;
        ThreadList list(book);
        list.resize(240, 300);
        list.show();
        book.setThreads({ { words("main"), 4, 0, RunStatus::Done } });
        list.setCurrent(words("main"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(book.deleted(), QStringList{ words("main") });
        QVERIFY(!view->isVisible()); // the empty state offers Run
        QSignalSpy changed(&book, &ThreadBook::deletedChanged);
        book.keep(words("main"));
        book.setStatus(words("main"), RunStatus::Running);
        QCOMPARE(book.deleted(), QStringList());
        QCOMPARE(book.threads(), QStringList{ words("main") });
        QVERIFY(view->isVisible());
        QCOMPARE(view->currentIndex().data().toString(), words("main"));
        QCOMPARE(changed.count(), 1);
        book.keep(words("other"));
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
        model.reset({ { words("<img src=x>&"), 1, 0, RunStatus::Done } });
        QCOMPARE(model.index(0).data(Qt::ToolTipRole).toString(), words("<p>&lt;img src=x&gt;&amp;</p>"));
    }

    void aRunningThreadIsNotDeleted()
    {
        ThreadBook book;
        ThreadList list(book);
        list.show();
        book.setThreads({ { words("alice"), 1, 0, RunStatus::Running } });
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(book.deleted(), QStringList());
    }

    void givesALabel()
    {
        ThreadBook book;
        ThreadList list(book);
        list.resize(240, 300);
        list.show();
        book.setThreads(threads());
        list.setCurrent(words("alice"));
        auto* view = list.findChild<QListView*>(words("threadList"));
        view->setFocus();
        QSignalSpy edited(&book, &ThreadBook::labelEdited);
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->setText(words("second try"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(edited.count(), 1); // the delegate commits a moment later
        QCOMPARE(edited.front(), (QVariantList{ words("alice"), words("second try") }));
        QCOMPARE(book.label(words("alice")), words("second try"));
        QCOMPARE(book.threads(), (QStringList{ words("carol"), words("alice"), words("bob") })); // ids
    }

    void searchingShowsNoOtherThread()
    {
        ThreadBook book;
        ThreadList list(book);
        list.resize(240, 300);
        list.show();
        book.setThreads(threads());
        list.setCurrent(words("alice"));
        QSignalSpy selected(&list, &ThreadList::threadSelected);
        list.findChild<FilterEdit*>()->setFilter(words("bob"));
        list.findChild<FilterEdit*>()->setFilter({});
        QCOMPARE(selected.count(), 0);
        QCOMPARE(list.findChild<QListView*>(words("threadList"))->currentIndex().data().toString(),
                 words("alice"));
    }
};

SG_WINDOW_TEST(TestThreadList)
#include "tst_thread_list.moc"
