#include "ui/usage/price_table.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QDate>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {

namespace {

enum Column { ModelColumn, InputColumn, OutputColumn, DateColumn, ColumnCount };

constexpr int kKeptRole = Qt::UserRole + 1; // of a name: its row when it was last complete

QString figure(double price)
{
    return std::isnan(price) ? QString() : QString::number(price, 'g', QLocale::FloatingPointShortest);
}

// kUnknown if the text is empty or no price.
double priceIn(const QString& text)
{
    bool isNumber = false;
    const double price = text.trimmed().toDouble(&isNumber);
    return isNumber && std::isfinite(price) && price >= 0 ? price : kUnknown;
}

bool isSame(const PriceTable& a, const PriceTable& b)
{
    return a.currency == b.currency && a.rows == b.rows;
}

bool holds(const std::vector<PriceRow>& rows, const QString& model)
{
    return std::ranges::find(rows, model, &PriceRow::model) != rows.end();
}

// `fault` tells why the cell is not accepted; empty if it is.
void mark(QStandardItem& cell, const QString& fault)
{
    if (cell.toolTip() == fault)
        return;
    cell.setToolTip(fault);
    cell.setData(fault, Qt::AccessibleDescriptionRole);
}

// Paints cells that are not accepted in a different colour of the theme.
class PriceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(Qt::ToolTipRole).toString().isEmpty())
            return;
        option->palette.setColor(QPalette::Text, color(&Tokens::failed));
        option->palette.setColor(QPalette::HighlightedText, color(&Tokens::failed));
        option->backgroundBrush = color(&Tokens::failedTint);
    }
};

} // namespace

PriceTableView::PriceTableView(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableView(this))
    , m_model(new QStandardItemModel(0, ColumnCount, this))
    , m_currency(new QLineEdit(this))
    , m_note(new QLabel(this))
{
    m_model->setHorizontalHeaderLabels(
        { tr("Model"), tr("In, per million"), tr("Out, per million"), tr("Looked up") });
    m_table->setModel(m_model);
    m_table->setItemDelegate(new PriceDelegate(m_table));
    m_table->setAccessibleName(tr("Prices"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(scaledLength(24));
    m_table->horizontalHeader()->setSectionResizeMode(ModelColumn, QHeaderView::Stretch);
    for (const int column : { InputColumn, OutputColumn, DateColumn })
        m_table->setColumnWidth(column, scaledLength(128));
    m_table->setFont(uiFont(TextSize::Dense));
    m_currency->setAccessibleName(tr("Currency of all prices"));
    m_currency->setMaximumWidth(scaledLength(64));
    makeDense(m_currency);
    auto* add = new QPushButton(tr("Add a model"), this);
    auto* remove = new QPushButton(tr("Remove"), this);
    for (QPushButton* button : { add, remove })
        makeDense(button);
    m_note->setFont(uiFont(TextSize::Small));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    row->addWidget(add);
    row->addWidget(remove);
    row->addStretch(1);
    row->addWidget(new QLabel(tr("Currency"), this));
    row->addWidget(m_currency);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    m_note->setContentsMargins(12, 4, 12, 6);
    column->addWidget(m_note);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({ {}, kUnknown, kUnknown, {} });
        m_table->setCurrentIndex(m_model->index(m_model->rowCount() - 1, ModelColumn));
        m_table->edit(m_table->currentIndex());
    });
    connect(remove, &QPushButton::clicked, this, [this] {
        if (!m_table->currentIndex().isValid())
            return;
        m_model->removeRow(m_table->currentIndex().row());
        give();
    });
    connect(m_model, &QStandardItemModel::itemChanged, this, &PriceTableView::give);
    connect(m_currency, &QLineEdit::editingFinished, this, &PriceTableView::give);
}

void PriceTableView::addRow(const PriceRow& row)
{
    m_isFilling = true;
    QList<QStandardItem*> items;
    for (int column = 0; column < ColumnCount; ++column)
        items << new QStandardItem;
    items[ModelColumn]->setText(row.model);
    m_model->appendRow(items);
    m_isFilling = false;
    if (!std::isnan(row.input) && !std::isnan(row.output))
        setRow(m_model->rowCount() - 1, row);
}

void PriceTableView::setRow(int row, const PriceRow& price)
{
    m_isFilling = true;
    const QStringList texts{ price.model, figure(price.input), figure(price.output), price.date };
    for (int column = 0; column < ColumnCount; ++column) {
        QStandardItem* cell = m_model->item(row, column);
        mark(*cell, {});
        if (cell->text() != texts[column])
            cell->setText(texts[column]);
    }
    m_model->item(row, ModelColumn)->setData(QVariant::fromValue(price), kKeptRole);
    m_isFilling = false;
}

QString PriceTableView::text(int row, int column) const
{
    return m_model->item(row, column)->text().trimmed();
}

std::optional<PriceRow> PriceTableView::kept(int row) const
{
    const QVariant found = m_model->item(row, ModelColumn)->data(kKeptRole);
    return found.isValid() ? std::optional(found.value<PriceRow>()) : std::nullopt;
}

void PriceTableView::setPrices(const PriceTable& prices)
{
    if (prices.edit == 0 ? m_isDue : prices.edit != m_edits)
        return; // the answer to a later edit will come
    m_isDue = false;
    showNote(prices);
    if (!prices.error.what.isEmpty()) {
        m_isKnown = m_isKnown && !prices.isUnreadable;
        m_given = m_kept; // so that the next edit is emitted
        return;
    }
    m_isKnown = true;
    if (!isSame(prices, m_given))
        merge(prices);
    m_kept = prices;
    m_given = prices;
}

void PriceTableView::showNote(const PriceTable& prices)
{
    m_note->setText(
        prices.error.what.isEmpty()
            ? tr("Nobody is asked for prices: these are yours, in %1. NAME* stands for all models whose "
                 "names begin so. A model that is not here costs “–”, never 0.")
                  .arg(prices.file)
            : prices.isUnreadable
            ? tr("The prices cannot be read: %1. Nothing is written over them: mend the file, then show the "
                 "prices again.")
                  .arg(prices.error.what)
            : tr("These prices could not be kept: %1. The next change tries again.").arg(prices.error.what));
}

// Changes only what differs: a cell may be open for editing, and rows may be incomplete.
void PriceTableView::merge(const PriceTable& prices)
{
    if (m_currency->text().trimmed() == m_given.currency)
        m_currency->setText(prices.currency);
    for (int row = m_model->rowCount() - 1; row >= 0; --row) {
        const auto before = kept(row);
        if (before && holds(m_kept.rows, before->model) && !holds(prices.rows, before->model))
            m_model->removeRow(row);
    }
    for (const PriceRow& price : prices.rows) {
        int place = -1;
        for (int row = 0; row < m_model->rowCount() && place < 0; ++row) {
            const auto before = kept(row);
            if ((before ? before->model : text(row, ModelColumn)) == price.model)
                place = row;
        }
        if (place < 0)
            addRow(price);
        else if (kept(place) != price)
            setRow(place, price);
    }
}

bool PriceTableView::has(const QString& model) const
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString name = m_model->item(row, ModelColumn)->text();
        if (name == model || (name.endsWith(QLatin1Char('*')) && model.startsWith(name.chopped(1))))
            return true;
    }
    return false;
}

void PriceTableView::addModels(const QStringList& models)
{
    for (const QString& model : models)
        if (!model.isEmpty() && !has(model))
            addRow({ model, kUnknown, kUnknown, {} });
}

std::optional<PriceRow> PriceTableView::read(int row, const std::vector<PriceRow>& above)
{
    const auto before = kept(row);
    PriceRow price = before.value_or(PriceRow());
    const QString name = text(row, ModelColumn);
    const bool isTwice = !name.isEmpty() && holds(above, name);
    mark(*m_model->item(row, ModelColumn),
         isTwice                        ? tr("This model has a row above.")
             : name.isEmpty() && before ? tr("A price needs a model: it is still kept under its old name.")
                                        : QString());
    if (!name.isEmpty() && !isTwice)
        price.model = name;
    for (const int column : { InputColumn, OutputColumn }) {
        double& amount = column == InputColumn ? price.input : price.output;
        const QString entered = text(row, column);
        const double wanted = priceIn(entered);
        const bool isWrong = std::isnan(wanted) && (before || !entered.isEmpty());
        mark(*m_model->item(row, column),
             !isWrong     ? QString()
                 : before ? tr("This is no price, a number from 0 on: %1 is still kept.").arg(figure(amount))
                          : tr("This is no price, a number from 0 on."));
        if (!std::isnan(wanted))
            amount = wanted;
    }
    if (price.model.isEmpty() || std::isnan(price.input) || std::isnan(price.output)
        || holds(above, price.model))
        return std::nullopt;
    price.date = text(row, DateColumn);
    if (price.date.isEmpty()) {
        price.date = QDate::currentDate().toString(Qt::ISODate);
        m_model->item(row, DateColumn)->setText(price.date);
    }
    m_model->item(row, ModelColumn)->setData(QVariant::fromValue(price), kKeptRole);
    return price;
}

void PriceTableView::give()
{
    if (m_isFilling)
        return;
    PriceTable made;
    made.file = m_kept.file;
    made.currency = m_currency->text().trimmed();
    if (made.currency.isEmpty())
        made.currency = m_given.currency;
    m_isFilling = true;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (auto price = read(row, made.rows))
            made.rows.push_back(*std::move(price));
    m_isFilling = false;
    if (!m_isKnown || isSame(made, m_given))
        return;
    made.edit = ++m_edits;
    m_given = made;
    m_isDue = true;
    Q_EMIT changed(made);
}

} // namespace sg::ui
