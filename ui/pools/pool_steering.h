#pragma once

#include "ui/bridge/rows/pool_rows.h"
#include "ui/widgets/strip.h"

class QPushButton;
class QSpinBox;
class QDoubleSpinBox;

namespace sg::ui {

class InkLabel;

// Pauses the chosen role and sets its limits, which count at once for jobs that start later.
class PoolSteering : public Strip {
    Q_OBJECT
public:
    explicit PoolSteering(QWidget* parent);

    void show(const PoolRow* pool); // null: none is chosen

Q_SIGNALS:
    void changeRequested(const sg::ui::PoolChange& change);

private:
    void apply();

    PoolRow m_pool;
    InkLabel* m_role;
    QDoubleSpinBox* m_rate;
    QSpinBox* m_atOnce;
    QPushButton* m_apply;
    QPushButton* m_pause;
};

} // namespace sg::ui
