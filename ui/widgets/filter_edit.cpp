#include "ui/widgets/filter_edit.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QKeyEvent>
#include <QTimer>

namespace sg::ui {

namespace {
constexpr int kPauseMs = 150;
}

FilterEdit::FilterEdit(const QString& placeholder, Sign sign, QWidget* parent)
    : QLineEdit(parent)
    , m_pause(new QTimer(this))
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    makeDense(this);
    addAction(icon(sign == Sign::Filter ? QLatin1String("filter") : QLatin1String("search"), &Tokens::muted),
              QLineEdit::LeadingPosition);
    setClearButtonEnabled(true);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMs);
    connect(m_pause, &QTimer::timeout, this, &FilterEdit::tell);
    connect(this, &QLineEdit::textChanged, m_pause, qOverload<>(&QTimer::start));
}

void FilterEdit::setFilter(const QString& text)
{
    setText(text);
    tell();
}

void FilterEdit::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        setFilter({});
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        tell();
    QLineEdit::keyPressEvent(event);
}

void FilterEdit::tell()
{
    m_pause->stop();
    const QString filter = text().trimmed();
    if (filter == m_told)
        return;
    m_told = filter;
    Q_EMIT filterChanged(filter);
}

} // namespace sg::ui
