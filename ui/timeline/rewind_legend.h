#pragma once

#include <QWidget>

namespace sg::ui {

// Explains the checkpoints' dots: how exactly the sandbox can be brought back to them.
class RewindLegend : public QWidget {
    Q_OBJECT
public:
    explicit RewindLegend(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace sg::ui
