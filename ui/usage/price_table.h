#pragma once

#include "ui/bridge/rows/usage_rows.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QStandardItemModel;
class QTableView;

namespace sg::ui {

// Prices by model, edited in place. A row is stored once it has a name and both figures. Cells that are not
// accepted are marked, and the row's last complete state stays stored.
class PriceTableView : public QWidget {
    Q_OBJECT
public:
    explicit PriceTableView(QWidget* parent = nullptr);

    // The stored prices, or why they could not be read or written. Incomplete rows stay.
    void setPrices(const PriceTable& prices);
    void addModels(const QStringList& models); // adds an empty row for each that has none

Q_SIGNALS:
    void changed(const sg::ui::PriceTable& prices);

private:
    void addRow(const PriceRow& row);
    void setRow(int row, const PriceRow& price);
    void merge(const PriceTable& prices);
    void give(); // emits the complete rows
    std::optional<PriceRow> read(int row, const std::vector<PriceRow>& above); // marks wrong cells
    void showNote(const PriceTable& prices);
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] std::optional<PriceRow> kept(int row) const;
    [[nodiscard]] bool has(const QString& model) const;

    QTableView* m_table;
    QStandardItemModel* m_model;
    QLineEdit* m_currency;
    QLabel* m_note;
    PriceTable m_kept; // as in the file when it was last read
    PriceTable m_given; // as last emitted
    quint64 m_edits = 0; // number of edits emitted
    bool m_isDue = false; // the last edit has no answer yet
    bool m_isKnown = false; // the file's content is known; otherwise nothing is written
    bool m_isFilling = false;
};

} // namespace sg::ui
