#pragma once

#include <QSet>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace sg::ui {

// The threads that match a search, in the chosen order, without deleted threads that can still be restored. A
// search has words of the name or label, and "status:failed".
class ThreadFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Order { Newest, Name, Size, Status };
    explicit ThreadFilter(QObject* parent);

    void setSearch(const QString& text);
    void setOrder(Order order);
    [[nodiscard]] Order order() const { return m_order; }
    void setHidden(const QStringList& threads);
    [[nodiscard]] bool isHidden(const QString& thread) const { return m_hidden.contains(thread); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
    QSet<QString> m_hidden;
    Order m_order = Order::Newest;
};

} // namespace sg::ui
