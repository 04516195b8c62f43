#include "ui/shell/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QGuiApplication>
#include <QVariantMap>

namespace sg::ui {
namespace {

const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kAction = QStringLiteral("default"); // a click on the message itself
constexpr int kUntilItIsRead = -1; // as long as the desktop thinks right

QDBusMessage call(const QString& method)
{
    return QDBusMessage::createMethodCall(kService, kPath, kService, method);
}

} // namespace

bool hasSessionBus()
{
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")
        || QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

DesktopNotice::DesktopNotice(QObject* parent)
    : QObject(parent)
{
}

DesktopNotice::~DesktopNotice()
{
    withdraw(); // nobody would be there to be told of a click
}

bool DesktopNotice::listen()
{
    if (!hasSessionBus())
        return false;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return false;
    if (!m_isListening)
        m_isListening = bus.connect(kService, kPath, kService, QStringLiteral("ActionInvoked"), this,
                                    SLOT(takeAction(uint, QString)))
            && bus.connect(kService, kPath, kService, QStringLiteral("NotificationClosed"), this,
                           SLOT(takeClosed(uint, uint)));
    return m_isListening;
}

void DesktopNotice::show(const QString& title, const QString& text, const QString& action)
{
    if (!listen())
        return;
    QDBusMessage notify = call(QStringLiteral("Notify"));
    // By the specification the text may be markup: names of nodes and threads are none.
    notify << QStringLiteral("Sandglass") << m_shown << QStringLiteral("sandglass") << title
           << text.toHtmlEscaped() << QStringList{ kAction, action }
           << QVariantMap{ { QStringLiteral("desktop-entry"), QGuiApplication::desktopFileName() } }
           << kUntilItIsRead;
    auto* answer = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(notify), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer, number = ++m_asked] {
        const QDBusPendingReply<uint> id = *answer;
        answer->deleteLater();
        if (!id.isValid())
            return;
        if (number > m_withdrawn)
            m_shown = id.value();
        else
            close(id.value());
    });
}

void DesktopNotice::close(uint id)
{
    QDBusMessage wish = call(QStringLiteral("CloseNotification"));
    wish << id;
    QDBusConnection::sessionBus().asyncCall(wish);
}

void DesktopNotice::withdraw()
{
    m_withdrawn = m_asked; // those without an id yet are closed as it comes
    if (m_shown == 0 || !listen())
        return;
    close(m_shown);
    m_shown = 0;
}

void DesktopNotice::takeAction(uint id, const QString& action)
{
    if (id == m_shown && action == kAction)
        Q_EMIT chosen();
}

void DesktopNotice::takeClosed(uint id, uint)
{
    if (id == m_shown)
        m_shown = 0;
}

} // namespace sg::ui
