#include "ui/shell/desktop_settings.h"

#include "ui/shell/desktop_notice.h"

#include <QApplication>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace sg::ui {
namespace {

using Groups = QMap<QString, QVariantMap>;

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kSettings = QStringLiteral("org.freedesktop.portal.Settings");
// The portal's own keys came late: older desktops tell theirs through the portal.
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kGnome = QStringLiteral("org.gnome.desktop.interface");
const QString kGnomeA11y = QStringLiteral("org.gnome.desktop.a11y.interface");
const QString kKde = QStringLiteral("org.kde.kdeglobals.KDE");

DesktopWishes wishesIn(const Groups& groups)
{
    const auto value = [&groups](const QString& group, const char* key) {
        return groups.value(group).value(QString::fromLatin1(key));
    };
    const QVariant animations = value(kGnome, "enable-animations");
    const QVariant factor = value(kKde, "AnimationDurationFactor");
    DesktopWishes wishes;
    wishes.lessMotion = qEnvironmentVariableIsSet("SANDGLASS_REDUCE_MOTION")
        || value(kAppearance, "reduced-motion").toUInt() == 1
        || (animations.isValid() && !animations.toBool()) || (factor.isValid() && factor.toDouble() == 0);
    wishes.moreContrast =
        value(kAppearance, "contrast").toUInt() == 1 || value(kGnomeA11y, "high-contrast").toBool();
    return wishes;
}

} // namespace

DesktopSettings::DesktopSettings(QObject* parent)
    : QObject(parent)
{
    apply();
    if (hasSessionBus() && QDBusConnection::sessionBus().isConnected())
        ask();
}

void DesktopSettings::ask()
{
    qDBusRegisterMetaType<Groups>();
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(kPortal, kPortalPath, kSettings, QStringLiteral("SettingChanged"), this,
                SLOT(takeChange(QString, QString, QDBusVariant)));
    QDBusMessage question =
        QDBusMessage::createMethodCall(kPortal, kPortalPath, kSettings, QStringLiteral("ReadAll"));
    question << QStringList{ kAppearance, kGnome, kGnomeA11y, kKde };
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<Groups> groups = *answer;
        answer->deleteLater();
        if (!groups.isValid())
            return;
        m_groups = groups.value();
        apply();
    });
}

void DesktopSettings::takeChange(const QString& group, const QString& key, const QDBusVariant& value)
{
    m_groups[group].insert(key, value.variant());
    apply();
}

void DesktopSettings::apply() const
{
    setDesktopWishes(*qApp, wishesIn(m_groups));
}

} // namespace sg::ui
