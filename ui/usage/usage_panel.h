#pragma once

#include "ui/bridge/rows/usage_rows.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTreeView;

namespace sg::ui {

class EmptyState;
struct PanelParts;
class PriceTableView;
class UsageFeed;

// "1,204 tokens in, 310 out · USD 0.0123 · 3.4 s · 5 calls"; empty if there were no calls.
QString usageLine(const UsageRow& row, const QString& currency);
QString costText(const UsageRow& row, const QString& currency); // "–" if no call has a price

// Token usage of the shown thread's models up to the viewed checkpoint, and the prices.
class UsagePanel : public QWidget {
    Q_OBJECT
public:
    explicit UsagePanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit UsagePanel(QWidget* parent = nullptr); // shows what it is given

    // Another panel shows lineChanged(): the usage is read while that one is seen, too.
    void readFor(QWidget& other);

    void clear();
    void setUsage(const UsageRows& usage);
    void setPrices(const PriceTable& prices);

Q_SIGNALS:
    void pricesChanged(const sg::ui::PriceTable& prices);
    void pricesWanted(); // the prices become visible
    void readAgain();
    void lineChanged(const QString& line); // usageLine() of the selected node, else of all

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill(); // shows m_usage
    void addGroup(const QString& title, const std::vector<UsageRow>& rows);

    QLabel* m_line;
    QPushButton* m_showPrices;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    EmptyState* m_failed;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    PriceTableView* m_prices;
    UsageRows m_usage;
    QStringList m_models;
    bool m_isStale = true; // m_usage is not shown yet
    UsageFeed* m_feed = nullptr; // a child; null: it shows what it is given
};

} // namespace sg::ui
