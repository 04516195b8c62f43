#include "ui/graph/canvas/breadcrumb.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace sg::ui {
namespace {

constexpr int kBreadcrumbHeight = 32;
constexpr int kChevron = 12;

} // namespace

Breadcrumb::Breadcrumb(QWidget* parent)
    : Strip(kBreadcrumbHeight, &Tokens::border, parent)
    , m_row(new QHBoxLayout(this))
{
    setAccessibleName(tr("Place in the graph"));
    m_row->setContentsMargins(8, 0, 8, 0);
    m_row->setSpacing(2);
    hide();
}

void Breadcrumb::setPath(const QString& whole, const std::vector<NodeId>& path)
{
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater(); // the button that was just pressed may be among them
        delete item;
    }
    for (std::size_t depth = 0; depth <= path.size(); ++depth) {
        const QString name = depth == 0 ? whole : QString::fromStdString(path[depth - 1].value);
        if (depth > 0) {
            auto* chevron = new QLabel(this);
            chevron->setPixmap(
                icon(QLatin1String("right"), &Tokens::muted)
                    .pixmap(QSize(scaledLength(kChevron), scaledLength(kChevron)), devicePixelRatioF()));
            m_row->addWidget(chevron);
        }
        if (depth == path.size()) {
            auto* here = new QLabel(name, this);
            here->setTextFormat(Qt::PlainText);
            here->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
            here->setContentsMargins(6, 0, 0, 0);
            m_row->addWidget(here);
            break;
        }
        auto* part = new QPushButton(name, this);
        part->setProperty("sgLink", true);
        part->setToolTip(tr("Back to %1 (Alt+Up leads one level up)").arg(name));
        makeDense(part);
        connect(part, &QPushButton::clicked, this, [this, depth] { Q_EMIT chosen(depth); });
        m_row->addWidget(part);
    }
    m_row->addStretch();
    setVisible(!path.empty());
}

} // namespace sg::ui
