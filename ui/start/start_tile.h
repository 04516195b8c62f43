#pragma once

#include <QAbstractButton>
#include <QLatin1String>

namespace sg::ui {

// One thing to begin with: an icon, what it is, and a line that says more; its shortcut at the right.
class StartTile : public QAbstractButton {
    Q_OBJECT
public:
    StartTile(QLatin1String iconName, const QString& title, const QString& note, QWidget* parent);
    void setKey(const QString& key) { m_key = key; }
    void setIsDefault(bool isDefault) { m_isDefault = isDefault; } // drawn in the accent's tint
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const QLatin1String m_icon;
    const QString m_note;
    QString m_key;
    bool m_isDefault = false;
};

} // namespace sg::ui
