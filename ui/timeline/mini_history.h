#pragma once

#include "ui/widgets/state_look.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

class ShownHistory;

// The viewed branch in one row of dots and bars, for a folded timeline. A click goes to the checkpoint there;
// ← and → walk, Home and End go to the first one and to the head.
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
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] const std::vector<int>& marks() const; // of the viewed lane
    [[nodiscard]] double xOf(int index) const;
    [[nodiscard]] int indexOfCurrent() const;
    [[nodiscard]] StateKind stateFrom(int mark) const;
    void paintSteps(QPainter& painter, double apart) const; // `apart`: two checkpoints, in pixels
    void paintDots(QPainter& painter, double apart) const;
    void select(int index);
    void selectAt(double x);

    ShownHistory& m_history;
};

} // namespace sg::ui
