#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace sg::ui {

// Edits the limits of a living session.
class LimitsForm : public QWidget {
    Q_OBJECT
public:
    explicit LimitsForm(QWidget* parent = nullptr);
    void show(const SessionRow& session); // what is being typed stays
    void setUse(const SampleRow& sample); // a limit below it is refused, with the figure

Q_SIGNALS:
    void applied(const sg::ui::SessionLimits& limits);

private:
    [[nodiscard]] QString refusal() const; // empty: the limits can hold
    void apply();

    QString m_session;
    double m_usedBytes = 0;
    int m_usedPids = 0;
    QLabel* m_refusal;
    QSpinBox* m_memory;
    QSpinBox* m_pids;
    QDoubleSpinBox* m_cpus;
    QPushButton* m_apply;
    QLabel* m_note;
};

} // namespace sg::ui
