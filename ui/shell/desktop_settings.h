#pragma once

#include "ui/widgets/desktop_wishes.h"

#include <QDBusVariant>
#include <QMap>
#include <QObject>
#include <QVariantMap>

namespace sg::ui {

// Follows what the desktop's settings say of motion and contrast (org.freedesktop.portal.Settings on the
// session's bus), and tells the application. Nothing where there is no such bus or nobody answers on it.
// SANDGLASS_REDUCE_MOTION in the environment asks for less motion, too.
class DesktopSettings : public QObject {
    Q_OBJECT
public:
    explicit DesktopSettings(QObject* parent = nullptr);

private Q_SLOTS:
    void takeChange(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void ask();
    void apply() const;

    QMap<QString, QVariantMap> m_groups;
};

} // namespace sg::ui
