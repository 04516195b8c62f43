#pragma once

#include <QRadioButton>

namespace sg::ui {

// One answer of a few to a question: its name, and a second line with its meaning. Siblings exclude each
// other; arrow keys move between them.
class ChoiceCard : public QRadioButton {
    Q_OBJECT
public:
    ChoiceCard(const QString& name, const QString& meaning, QWidget* parent = nullptr);
    void setWarning(bool warning); // shows the warning sign before the second line
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    [[nodiscard]] bool hitButton(const QPoint& place) const override { return rect().contains(place); }

private:
    QString m_meaning;
    bool m_warning = false;
    bool m_keyboardFocus = false;
};

} // namespace sg::ui
