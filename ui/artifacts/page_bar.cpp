#include "ui/artifacts/page_bar.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace sg::ui {

PageBar::PageBar(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_row(new QLineEdit(this))
{
    m_words->setFont(uiFont(TextSize::Dense));
    m_words->setForegroundRole(QPalette::PlaceholderText);
    m_words->setObjectName(QStringLiteral("tableRows"));
    m_row->setPlaceholderText(tr("Row"));
    m_row->setAccessibleName(tr("Go to row"));
    m_row->setToolTip(tr("Number of a row, then Enter"));
    m_row->setValidator(new QIntValidator(1, std::numeric_limits<int>::max(), m_row));
    m_row->setMaximumWidth(scaledLength(76));
    makeDense(m_row);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_words);
    row->addSpacing(4);
    m_back = addButton(QLatin1String("left"), tr("Previous rows"), &PageBar::before);
    m_on = addButton(QLatin1String("right"), tr("Next rows"), &PageBar::after);
    row->addWidget(m_back);
    row->addWidget(m_on);
    row->addWidget(m_row);
    connect(m_row, &QLineEdit::returnPressed, this, [this] {
        Q_EMIT pageRequested(std::max<qint64>(0, m_row->text().toLongLong() - 1));
        m_row->clear();
    });
}

QToolButton* PageBar::addButton(QLatin1String iconName, const QString& name,
                                qint64 (PageBar::*target)() const)
{
    auto* button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    makeDense(button);
    connect(button, &QToolButton::clicked, this, [this, target] { Q_EMIT pageRequested((this->*target)()); });
    return button;
}

qint64 PageBar::before() const
{
    return std::max<qint64>(0, m_first - kPageRows);
}

qint64 PageBar::after() const
{
    return m_first + kPageRows;
}

void PageBar::showPage(const ArtifactPreview& preview)
{
    m_first = preview.firstRow;
    m_total = preview.totalRows;
    const auto count = static_cast<qint64>(preview.rows.size());
    const bool isAll = m_first == 0 && !preview.hasMore;
    const QString columns = preview.columns.size() == 1
        ? tr("1 column")
        : tr("%1 columns").arg(formatCount(preview.columns.size()));
    if (isAll)
        m_words->setText(
            (count == 1 ? tr("%1 row, %2") : tr("%1 rows, %2")).arg(formatCount(count), columns));
    else if (m_total >= 0)
        m_words->setText(
            tr("rows %1–%2 of %3, %4")
                .arg(formatCount(m_first + 1), formatCount(m_first + count), formatCount(m_total), columns));
    else
        m_words->setText(
            tr("rows %1–%2, %3").arg(formatCount(m_first + 1), formatCount(m_first + count), columns));
    m_back->setEnabled(m_first > 0);
    m_on->setEnabled(preview.hasMore);
    for (QWidget* part :
         { static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_on), static_cast<QWidget*>(m_row) })
        part->setVisible(!isAll);
}

} // namespace sg::ui
