#include "ui/graph/forms/form_rows.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>

namespace sg::ui {
namespace {

constexpr int kTitleWidth = 84;

QString faultName(const QWidget* field)
{
    return field->objectName() + QStringLiteral("Fault");
}

// The narrowest inspector decides how wide a form is, not the longest of its words.
void makeNarrowable(QWidget& field)
{
    if (auto* choice = qobject_cast<QComboBox*>(&field)) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(6);
    } else if (auto* flag = qobject_cast<QCheckBox*>(&field)) {
        flag->setToolTip(flag->toolTip().isEmpty() ? flag->text() : flag->toolTip());
        flag->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
}

} // namespace

FormRows::FormRows(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // surplus height goes below the rows
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnMinimumWidth(0, scaledLength(kTitleWidth));
    m_grid->setColumnStretch(1, 1);
}

QLineEdit* FormRows::addLine(const QString& title, const QString& placeholder)
{
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(placeholder);
    makeDense(line);
    addRow(title, line);
    return line;
}

QPlainTextEdit* FormRows::addCode(const QString& title, int lines)
{
    auto* code = new QPlainTextEdit(this);
    code->setFont(monoFont());
    code->setTabChangesFocus(true);
    code->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    code->setFixedHeight(QFontMetrics(monoFont()).lineSpacing() * lines + scaledLength(14));
    addRow(title, code);
    return code;
}

void FormRows::addRow(const QString& title, QWidget* field)
{
    const int row = m_grid->rowCount();
    auto* label = new QLabel(title, this);
    label->setFont(uiFont(TextSize::Dense));
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setBuddy(field);
    label->setMinimumHeight(scaledLength(24));
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the column is as wide everywhere
    field->setAccessibleName(title);
    makeNarrowable(*field);
    if (field->objectName().isEmpty())
        field->setObjectName(QStringLiteral("field%1").arg(row));
    m_grid->addWidget(label, row, 0, Qt::AlignTop);
    m_grid->addWidget(field, row, 1);
}

void FormRows::addHeading(const QString& title, QWidget* beside)
{
    const int row = m_grid->rowCount();
    auto* label = new QLabel(title, this);
    label->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    label->setMinimumHeight(scaledLength(28));
    m_grid->addWidget(label, row, 0, 1, 2, Qt::AlignBottom | Qt::AlignLeft);
    if (beside)
        m_grid->addWidget(beside, row, 1, Qt::AlignRight | Qt::AlignBottom);
}

void FormRows::setFault(QWidget* field, const QString& fault)
{
    auto* label = findChild<QLabel*>(faultName(field));
    if (!label && fault.isEmpty())
        return;
    if (!label) {
        label = new QLabel(this);
        label->setObjectName(faultName(field));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setFont(uiFont(TextSize::Small));
        int row = 0;
        int column = 0;
        int rows = 0;
        int columns = 0;
        m_grid->getItemPosition(m_grid->indexOf(field), &row, &column, &rows, &columns);
        // The field and its fault share the cell.
        auto* both = new QVBoxLayout;
        both->setSpacing(2);
        m_grid->removeWidget(field);
        both->addWidget(field);
        both->addWidget(label);
        m_grid->addLayout(both, row, column);
    }
    QPalette dyed = label->palette();
    dyed.setColor(QPalette::WindowText, color(&Tokens::failed));
    label->setPalette(dyed);
    label->setText(fault);
    label->setVisible(!fault.isEmpty());
    field->setAccessibleDescription(fault);
}

void FormRows::setRowVisible(QWidget* field, bool visible)
{
    field->setVisible(visible);
    for (QLabel* label : findChildren<QLabel*>())
        if (label->buddy() == field)
            label->setVisible(visible);
}

void showText(QLineEdit& field, const QString& text)
{
    if (field.text() == text)
        return;
    const QSignalBlocker quiet(field);
    field.setText(text);
    field.setCursorPosition(0); // shows the beginning of a long text
}

void showText(QPlainTextEdit& field, const QString& text)
{
    if (field.toPlainText() == text)
        return;
    const QSignalBlocker quiet(field);
    field.setPlainText(text);
}

} // namespace sg::ui
