#include "ui/graph/forms/fold_button.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

namespace sg::ui {

FoldButton::FoldButton(const QString& title, QWidget& body, QWidget* parent)
    : QToolButton(parent)
    , m_body(body)
{
    setText(title);
    setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    setCheckable(true);
    connect(this, &QToolButton::clicked, this, &FoldButton::setOpen);
    setOpen(false);
}

void FoldButton::setOpen(bool open)
{
    setChecked(open);
    setIcon(ui::icon(open ? QLatin1String("down") : QLatin1String("right"), &Tokens::muted));
    setAccessibleDescription(open ? tr("open") : tr("folded"));
    m_body.setVisible(open);
}

} // namespace sg::ui
