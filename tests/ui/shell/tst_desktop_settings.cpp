// Less motion and more contrast, as a portal on a bus of its own says and changes them.

#include "tests/support/machine.h"
#include "tests/support/window_style.h"
#include "ui/shell/desktop_settings.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QProcess>

using namespace sg::ui;

using Groups = QMap<QString, QVariantMap>;

class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    Groups groups;
    QStringList asked;

public Q_SLOTS:
    // NOLINTNEXTLINE(readability-identifier-naming): the desktop's own interface
    QMap<QString, QVariantMap> ReadAll(const QStringList& names)
    {
        asked = names;
        return groups;
    }
};

class TestDesktopSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("dbus");
        qDBusRegisterMetaType<Groups>();
        m_bus.start(QStringLiteral("dbus-daemon"),
                    { QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--nopidfile"),
                      QStringLiteral("--print-address=1") });
        QVERIFY(m_bus.waitForStarted() && m_bus.waitForReadyRead());
        m_address = QString::fromLatin1(m_bus.readLine().trimmed());
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_address.toLatin1());
        sg::test::useStyle();
    }
    void cleanupTestCase()
    {
        m_bus.kill();
        m_bus.waitForFinished();
    }

    void isQuietWhereNobodyAnswers()
    {
        const DesktopSettings settings;
        QTest::qWait(50);
        QCOMPARE(desktopWishes(), DesktopWishes());
    }

    void followsTheDesktop_data() { sg::test::themes(); }
    void followsTheDesktop()
    {
        sg::test::useTheme();
        Portal portal;
        QDBusConnection bus = QDBusConnection::connectToBus(m_address, QStringLiteral("portal"));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &portal,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")));
        portal.groups[QStringLiteral("org.gnome.desktop.interface")] = {
            { QStringLiteral("enable-animations"), false }
        };
        const QRgb muted = tokens().muted;
        const DesktopSettings settings;
        QTRY_VERIFY(desktopWishes().lessMotion);
        QVERIFY(portal.asked.contains(QStringLiteral("org.freedesktop.appearance")));
        QVERIFY(!desktopWishes().moreContrast);
        QCOMPARE(qApp->style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        QCOMPARE(tokens().muted, muted);
        const auto change = [&bus](const char* group, const char* key, const QVariant& value) {
            QDBusMessage message = QDBusMessage::createSignal(
                QStringLiteral("/org/freedesktop/portal/desktop"),
                QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("SettingChanged"));
            message << QString::fromLatin1(group) << QString::fromLatin1(key)
                    << QVariant::fromValue(QDBusVariant(value));
            bus.send(message);
        };
        change("org.freedesktop.appearance", "contrast", 1U);
        QTRY_VERIFY(desktopWishes().moreContrast);
        for (const auto ground : { &Tokens::window, &Tokens::base, &Tokens::canvas, &Tokens::raised }) {
            for (const auto ink : { &Tokens::text, &Tokens::text2, &Tokens::muted, &Tokens::neutral })
                QVERIFY(contrastRatio(tokens().*ink, tokens().*ground) >= 7);
            for (const auto edge : { &Tokens::border, &Tokens::strong, &Tokens::line })
                QVERIFY(contrastRatio(tokens().*edge, tokens().*ground) >= 3);
        }
        QCOMPARE(isDark(), QLatin1String(QTest::currentDataTag()) == QLatin1String("dark"));
        change("org.freedesktop.appearance", "contrast", 0U);
        change("org.gnome.desktop.interface", "enable-animations", true);
        QTRY_COMPARE(desktopWishes(), DesktopWishes());
        QCOMPARE(tokens().muted, muted);
        QVERIFY(qApp->style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0);
        bus.unregisterService(QStringLiteral("org.freedesktop.portal.Desktop"));
        bus.unregisterObject(QStringLiteral("/org/freedesktop/portal/desktop"));
    }

private:
    QProcess m_bus;
    QString m_address;
};

SG_WINDOW_TEST(TestDesktopSettings)
#include "tst_desktop_settings.moc"
