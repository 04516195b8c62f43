#pragma once

#include "ui/bridge/rows/pool_rows.h"
#include "ui/pools/pool_history.h"

#include <QTimer>
#include <QWidget>

#include <deque>

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class Banner;
class ElidedLabel;
class EmptyState;
class PoolCharts;
class PoolModel;
class PoolsClient;
class PoolSteering;
class PoolsSections;
class SegmentedControl;

// The pools of workers behind the roles of graphs: what waits, runs and was given up, who works, and how to
// steer them. Asks for a look each second while it is seen. Decides nothing: it asks its client, by signals.
class PoolsPanel : public QWidget {
    Q_OBJECT
public:
    explicit PoolsPanel(PoolsClient& client, QWidget* parent = nullptr);
    explicit PoolsPanel(QWidget* parent = nullptr); // shows what it is given

    void setLook(const PoolsLook& look);
    void setStory(const JobStoryRow& story);
    void setChanged(const PoolChange& change, const UserError& error);

Q_SIGNALS:
    void loadRequested();
    void addressRequested(const QString& address);
    void storyRequested(const QString& role, const QString& job);
    void changeRequested(const sg::ui::PoolChange& change);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeUnnamed();
    QWidget* makePools();
    void load();
    void showChosen();
    void fitTable();
    void showCounts(const PoolsLook& look);
    void showQueueless(const PoolsLook& look);
    void showPage(int page);
    void pauseAll();
    [[nodiscard]] const PoolRow* chosen() const; // null: none

    PoolHistory m_history;
    PoolModel* m_model;
    Banner* m_banner;
    QStackedWidget* m_pages;
    ElidedLabel* m_counts = nullptr;
    QPushButton* m_pauseAll = nullptr;
    SegmentedControl* m_span = nullptr;
    QLineEdit* m_address = nullptr;
    EmptyState* m_empty = nullptr;
    EmptyState* m_queueless = nullptr;
    QTableView* m_table = nullptr;
    PoolSteering* m_steering = nullptr;
    PoolCharts* m_charts = nullptr;
    PoolsSections* m_sections = nullptr;
    QString m_queue; // whose history it is
    std::deque<double> m_latencies; // ms, of the newest looks
    bool m_isAsking = false;
    QTimer m_next;
};

} // namespace sg::ui
