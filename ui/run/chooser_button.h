#pragma once

#include <QLatin1String>
#include <QPushButton>

namespace sg::ui {

// A button that opens a menu or panel to choose from, with an icon, the chosen text and a chevron, like a
// combo box.
class ChooserButton : public QPushButton {
    Q_OBJECT
public:
    ChooserButton(QLatin1String iconName, QWidget* parent);
    void setPrefix(const QString& prefix); // muted text before the chosen one
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int prefixWidth() const;

    QLatin1String m_icon;
    QString m_prefix;
};

} // namespace sg::ui
