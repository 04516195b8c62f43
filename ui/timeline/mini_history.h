#pragma once

#include <QWidget>

#include <vector>

namespace sg::ui {

class ShownHistory;

// The viewed branch in one row of dots, for a folded timeline. A click goes to the checkpoint there; ← and →
// walk, Home and End go to the first one and to the head.
class MiniHistory : public QWidget {
    Q_OBJECT
public:
    explicit MiniHistory(ShownHistory& history, QWidget* parent);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void checkpointSelected(const QString& checkpoint); // by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] const std::vector<int>& marks() const; // of the viewed lane
    [[nodiscard]] double xOf(int index) const;
    [[nodiscard]] int indexOfCurrent() const;
    void select(int index);

    ShownHistory& m_history;
};

} // namespace sg::ui
