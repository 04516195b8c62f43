#pragma once

#include "ui/bridge/rows/usage_rows.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QStandardItemModel;
class QTableView;

namespace sg::ui {

// Prices by model, edited in place. A row is kept once it has a name and both figures; what cannot be taken
// is marked in its cell, and what the row was before stays kept.
class PriceTableView : public QWidget {
    Q_OBJECT
public:
    explicit PriceTableView(QWidget* parent = nullptr);

    // What stands in the file, or why it could not be read or written. Rows that are being entered stay.
    void setPrices(const PriceTable& prices);
    void addModels(const QStringList& models); // that have no row yet: each gets an empty one

Q_SIGNALS:
    void changed(const sg::ui::PriceTable& prices);

private:
    void addRow(const PriceRow& row);
    void setRow(int row, const PriceRow& price);
    void merge(const PriceTable& prices);
    void give(); // what is complete
    std::optional<PriceRow> read(int row, const std::vector<PriceRow>& above); // marks what is wrong there
    void showNote(const PriceTable& prices);
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] std::optional<PriceRow> kept(int row) const;
    [[nodiscard]] bool has(const QString& model) const;

    QTableView* m_table;
    QStandardItemModel* m_model;
    QLineEdit* m_currency;
    QLabel* m_note;
    PriceTable m_kept; // in the file, as it was read last
    PriceTable m_given; // to be kept; then the same
    quint64 m_edits = 0; // that were given
    bool m_isDue = false; // the answer to the last one
    bool m_isKnown = false; // what stands in the file; else nothing is written over it
    bool m_isFilling = false;
};

} // namespace sg::ui
