#include "ui/code/problem_row.h"

#include "ui/code/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace sg::ui {
namespace {

constexpr int kBar = 3;

} // namespace

ProblemRow::ProblemRow(const CodeMark& mark, QWidget* parent)
    : QWidget(parent)
    , m_isWarning(mark.isWarning)
{
    setAccessibleName(mark.isWarning ? tr("Warning, line %1: %2").arg(mark.line).arg(mark.message)
                                     : tr("Problem, line %1: %2").arg(mark.line).arg(mark.message));
    setCursor(Qt::ArrowCursor);
    auto* text = new ElidedLabel(mark.message.section(QLatin1Char('\n'), 0, 0), this);
    text->setFont(uiFont(TextSize::Dense));
    text->setToolTip(mark.message);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kBar + scaledLength(6), 0, scaledLength(4), 0);
    row->setSpacing(scaledLength(6));
    row->addWidget(text, 1);
    for (qsizetype i = 0; i < mark.verbs.size(); ++i) {
        auto* button = new QPushButton(mark.verbs[i], this);
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard in the code
        makeDense(button);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored); // as high as a line of code
        connect(button, &QPushButton::clicked, this, [this, i] { Q_EMIT verbChosen(static_cast<int>(i)); });
        row->addWidget(button);
    }
}

void ProblemRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    painter.fillRect(rect(), QColor(m_isWarning ? t.warnTint : t.failedTint));
    painter.fillRect(QRect(0, 0, kBar, height()), QColor(m_isWarning ? t.warn : t.failed));
}

} // namespace sg::ui
