// A message on the desktop: what a daemon on a bus of its own gets, and what it tells back.

#include "tests/support/machine.h"
#include "tests/support/window_test.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/run_notices.h"

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace sg::ui;

class Daemon : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Shown {
        uint replaces = 0;
        QString title;
        QString text;
        QStringList actions;
    };
    std::vector<Shown> shown;
    std::vector<uint> closed;

public Q_SLOTS:
    // NOLINTBEGIN(readability-identifier-naming, readability-function-size): the desktop's own interface
    uint Notify(const QString&, uint replaces, const QString&, const QString& title, const QString& text,
                const QStringList& actions, const QVariantMap&, int)
    {
        shown.push_back({ replaces, title, text, actions });
        return 7;
    }
    void CloseNotification(uint id) { closed.push_back(id); }
    // NOLINTEND(readability-identifier-naming, readability-function-size)
};

class TestDesktopNotice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("dbus");
        m_bus.start(QStringLiteral("dbus-daemon"),
                    { QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--nopidfile"),
                      QStringLiteral("--print-address=1") });
        QVERIFY(m_bus.waitForStarted() && m_bus.waitForReadyRead());
        m_address = QString::fromLatin1(m_bus.readLine().trimmed());
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_address.toLatin1());
    }
    void cleanupTestCase()
    {
        m_bus.kill();
        m_bus.waitForFinished();
    }

    void isQuietWhereNobodyListens()
    {
        DesktopNotice notice;
        notice.show(QStringLiteral("ask waits for you"), QStringLiteral("Thread alice"));
        notice.withdraw();
    }

    void isShownReplacedAndChosen()
    {
        Daemon daemon;
        QDBusConnection bus = QDBusConnection::connectToBus(m_address, QStringLiteral("daemon"));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &daemon,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
        const auto tell = [&bus](const char* signal, const QVariantList& arguments) {
            QDBusMessage message = QDBusMessage::createSignal(
                QStringLiteral("/org/freedesktop/Notifications"),
                QStringLiteral("org.freedesktop.Notifications"), QString::fromLatin1(signal));
            message.setArguments(arguments);
            bus.send(message);
        };
        DesktopNotice notice;
        QSignalSpy chosen(&notice, &DesktopNotice::chosen);
        notice.show(QStringLiteral("ask waits for you"), QStringLiteral("Thread <b>alice</b>"));
        QTRY_COMPARE(daemon.shown.size(), std::size_t(1));
        QCOMPARE(daemon.shown[0].title, QStringLiteral("ask waits for you"));
        QCOMPARE(daemon.shown[0].text, QStringLiteral("Thread &lt;b&gt;alice&lt;/b&gt;")); // no markup
        QCOMPARE(daemon.shown[0].replaces, 0U);
        QCOMPARE(daemon.shown[0].actions.value(0), QStringLiteral("default"));

        // Until its id has come a later one would stand beside it.
        std::size_t asked = 1;
        QTRY_VERIFY([&] {
            notice.show(QStringLiteral("ask"), QStringLiteral("two"));
            ++asked;
            return daemon.shown.back().replaces == 7;
        }());
        QTRY_COMPARE(daemon.shown.size(), asked); // their answers come before what is told next

        tell("ActionInvoked", { 8U, QStringLiteral("default") }); // another program's
        tell("ActionInvoked", { 7U, QStringLiteral("other") });
        tell("ActionInvoked", { 7U, QStringLiteral("default") });
        QTRY_COMPARE(chosen.count(), 1);

        notice.withdraw();
        QTRY_COMPARE(daemon.closed.size(), std::size_t(1));
        QCOMPARE(daemon.closed[0], 7U);
        notice.withdraw(); // once
        QCOMPARE(daemon.closed.size(), std::size_t(1));

        daemon.closed.clear();
        notice.show(QStringLiteral("ask"), QStringLiteral("three"));
        notice.withdraw(); // before its id has come
        QTRY_COMPARE(daemon.closed, std::vector<uint>{ 7U });

        daemon.closed.clear();
        {
            DesktopNotice brief;
            brief.show(QStringLiteral("ask"), QStringLiteral("four"));
            QTRY_VERIFY([&] { // until its id has come
                brief.show(QStringLiteral("ask"), QStringLiteral("five"));
                return daemon.shown.back().replaces == 7;
            }());
        }
        QTRY_VERIFY(!daemon.closed.empty());
    }

    void runsThatEndTogetherAreOneMessage()
    {
        Daemon daemon;
        QDBusConnection bus = QDBusConnection::connectToBus(m_address, QStringLiteral("daemon"));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &daemon,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
        RunNotices notices;
        QVERIFY(!notices.add(QStringLiteral("alice"), sg::RunStatus::Stopped, {}));
        QVERIFY(!notices.add(QStringLiteral("alice"), sg::RunStatus::Interrupted, {}));
        notices.noteStarted(QStringLiteral("alice"));
        QVERIFY(!notices.add(QStringLiteral("alice"), sg::RunStatus::Done, {})); // nobody had to wait
        QVERIFY(!notices.add(QStringLiteral("alice"), sg::RunStatus::Failed, {}, false)); // it was seen
        RunNotices impatient(nullptr, 20);
        impatient.noteStarted(QStringLiteral("alice"));
        QTest::qWait(30);
        QVERIFY(impatient.add(QStringLiteral("alice"), sg::RunStatus::Done, {}));
        impatient.clear();
        QVERIFY(notices.add(QStringLiteral("alice"), sg::RunStatus::Done, {}));
        QTRY_COMPARE(daemon.shown.size(), std::size_t(1));
        QCOMPARE(daemon.shown[0].title, QStringLiteral("The run on alice has ended"));
        QCOMPARE(daemon.shown[0].actions, (QStringList{ QStringLiteral("default"), QStringLiteral("Show") }));

        QSignalSpy chosen(&notices, &RunNotices::chosen);
        notices.noteStarted(QStringLiteral("bob")); // a failure is told at once
        QVERIFY(notices.add(QStringLiteral("bob"), sg::RunStatus::Failed,
                            { QStringLiteral("Node **load** failed. KeyError: 'x'"), {} }));
        QVERIFY(notices.add(QStringLiteral("carol"), sg::RunStatus::Done, {}));
        QTRY_COMPARE(daemon.shown.size(), std::size_t(2));
        QCOMPARE(daemon.shown[1].replaces, 7U);
        QCOMPARE(daemon.shown[1].title, QStringLiteral("2 runs have ended, 1 failed"));
        QCOMPARE(daemon.shown[1].text,
                 QStringLiteral("Thread bob: Node load failed. KeyError: 'x'").toHtmlEscaped());
        QDBusMessage click = QDBusMessage::createSignal(QStringLiteral("/org/freedesktop/Notifications"),
                                                        QStringLiteral("org.freedesktop.Notifications"),
                                                        QStringLiteral("ActionInvoked"));
        click.setArguments({ 7U, QStringLiteral("default") });
        bus.send(click);
        QTRY_COMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toString(), QStringLiteral("bob"));

        notices.clear(); // somebody looks: the next begins anew
        QTRY_COMPARE(daemon.closed, std::vector<uint>{ 7U });
        QVERIFY(notices.add(QStringLiteral("dan"), sg::RunStatus::RecursionLimit,
                            { QStringLiteral("25 supersteps"), {} }));
        QTRY_COMPARE(daemon.shown.size(), std::size_t(3));
        QCOMPARE(daemon.shown[2].title, QStringLiteral("The run on dan has failed"));
        QCOMPARE(daemon.shown[2].text, QStringLiteral("25 supersteps"));
    }

private:
    QProcess m_bus;
    QString m_address;
};

SG_WINDOW_TEST(TestDesktopNotice)
#include "tst_desktop_notice.moc"
