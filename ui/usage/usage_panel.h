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
class PriceTableView;

// "1,204 tokens in, 310 out · USD 0.0123 · 3.4 s · 5 calls"; empty where nothing was asked.
QString usageLine(const UsageRow& row, const QString& currency);
QString costText(const UsageRow& row, const QString& currency); // "–" where no call has a price

// What the models of the shown thread took, up to the step that is looked at; and the prices.
class UsagePanel : public QWidget {
    Q_OBJECT
public:
    explicit UsagePanel(QWidget* parent = nullptr);

    void clear();
    void setUsage(const UsageRows& usage);
    void setPrices(const PriceTable& prices);

Q_SIGNALS:
    void pricesChanged(const sg::ui::PriceTable& prices);
    void pricesWanted(); // they come to be seen
    void readAgain();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill(); // what setUsage() gave
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
    bool m_isStale = true; // what is shown is not m_usage
};

} // namespace sg::ui
