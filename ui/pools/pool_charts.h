#pragma once

#include "ui/pools/pool_history.h"

#include <QStringList>
#include <QWidget>

namespace sg::ui {

// Three curves side by side, a line for each role: what waits, what is done a second, and what is tried again
// a minute. The chosen role's line is the strong one.
class PoolCharts : public QWidget {
    Q_OBJECT
public:
    explicit PoolCharts(const PoolHistory& history, QWidget* parent = nullptr);

    void show(const QStringList& roles, const QString& chosen);
    void setSpan(double seconds); // how much of the past is shown
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintChart(QPainter& painter, const QRectF& room, const QString& title, double PoolSample::*value,
                    double endMs) const;

    const PoolHistory& m_history;
    QStringList m_roles;
    QString m_chosen;
    double m_spanSeconds = 300;
};

} // namespace sg::ui
