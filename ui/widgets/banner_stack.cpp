#include "ui/widgets/banner_stack.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QEvent>
#include <QFrame>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kMargin = 10; // px to the edges of the view
constexpr int kOthersWidth = 620; // px

} // namespace

BannerStack::BannerStack(QWidget* parent)
    : QWidget(parent)
    , m_banner(new Banner(this))
    , m_others(new QFrame(this))
    , m_rows(new QVBoxLayout(m_others))
{
    m_banner->setFramed(true);
    m_others->setObjectName(QStringLiteral("otherMessages"));
    m_others->setFrameShape(QFrame::StyledPanel);
    m_others->setAutoFillBackground(true);
    m_others->hide();
    m_rows->setContentsMargins(1, 1, 1, 1);
    m_rows->setSpacing(0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_banner);
    column->addWidget(m_others, 0, Qt::AlignRight);
    connect(m_banner, &Banner::closed, this, [this] {
        if (!m_messages.empty())
            withdraw(m_messages.begin()->first);
    });
    hide();
}

void BannerStack::lieOver(QWidget* view)
{
    if (m_view)
        m_view->removeEventFilter(this);
    m_view = view;
    m_view->installEventFilter(this);
    place();
}

void BannerStack::lieBelow(QWidget* strip)
{
    m_strip = strip;
    strip->installEventFilter(this);
    place();
}

void BannerStack::carry(QWidget* card)
{
    m_card = card;
    layout()->addWidget(card); // and becomes its parent
    m_card->installEventFilter(this);
    appear();
}

void BannerStack::tell(Owner owner, BannerMessage message)
{
    m_messages[owner] = std::move(message);
    showAll();
}

void BannerStack::withdraw(Owner owner)
{
    if (m_messages.erase(owner) > 0)
        showAll();
}

void BannerStack::withdrawAll()
{
    m_messages.clear();
    showAll();
}

void BannerStack::show(Banner& banner, Owner owner, const BannerMessage& message)
{
    banner.clearActions();
    banner.setToolTip(message.toolTip);
    banner.setClosable(!message.isQuestion);
    for (const BannerAction& action : message.actions) {
        const QString text =
            action.key.isEmpty() ? action.text : action.text + QStringLiteral("  ") + action.key;
        QPushButton* button = action.isLink ? banner.addLink(text) : banner.addButton(text);
        button->setAccessibleName(action.text);
        button->setProperty("sgPrimary", action.isDefault);
        connect(button, &QPushButton::clicked, this, [this, owner, action] {
            if (action.withdraws)
                withdraw(owner);
            action.run();
        });
    }
    banner.showMessage(message.kind, message.text);
}

void BannerStack::showAll()
{
    m_more = nullptr;
    if (m_messages.empty()) {
        m_banner->clearActions();
        m_banner->hide();
        m_others->hide();
        appear();
        return;
    }
    const auto& [owner, first] = *m_messages.begin();
    show(*m_banner, owner, first);
    if (const std::size_t others = m_messages.size() - 1; others > 0) {
        m_more = m_banner->addButton(tr("%1 more").arg(others));
        m_more->setObjectName(QStringLiteral("moreMessages"));
        m_more->setCheckable(true);
        m_more->setChecked(m_others->isVisibleTo(this));
        connect(m_more, &QPushButton::toggled, this, [this](bool isOpen) {
            m_others->setVisible(isOpen);
            place();
        });
        showOthers();
    } else {
        m_others->hide();
    }
    appear();
}

void BannerStack::appear()
{
    const bool hasCard = m_card != nullptr && !m_card->isHidden();
    setVisible(!m_messages.empty() || hasCard);
    place();
}

void BannerStack::showOthers()
{
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (auto each = std::next(m_messages.begin()); each != m_messages.end(); ++each) {
        auto* row = new Banner(m_others);
        show(*row, each->first, each->second);
        connect(row, &Banner::closed, this, [this, owner = each->first] { withdraw(owner); });
        m_rows->addWidget(row);
    }
}

void BannerStack::place()
{
    if (!m_view)
        return;
    if (isHidden()) {
        Q_EMIT covers(m_view, 0);
        return;
    }
    QRect over(m_view->mapTo(parentWidget(), QPoint(0, 0)), m_view->size());
    if (m_strip && m_strip->isVisible()) {
        const QRect strip(m_strip->mapTo(parentWidget(), QPoint(0, 0)), m_strip->size());
        if (strip.intersects(over))
            over.setTop(strip.bottom() + 1);
    }
    const int width = std::max(over.width() - 2 * kMargin, 0);
    m_others->setFixedWidth(std::min(scaledLength(kOthersWidth), width));
    const int wanted =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    const int height = std::min(wanted, std::max(over.height() - 2 * kMargin, 0));
    setGeometry(over.left() + kMargin, over.top() + kMargin, width, height);
    layout()->activate();
    QRegion seen; // beside the list of others the view stays within reach
    for (const QWidget* part : { static_cast<QWidget*>(m_banner), static_cast<QWidget*>(m_others), m_card })
        if (part != nullptr && !part->isHidden())
            seen += part->geometry();
    setMask(seen);
    raise();
    tellCovered();
}

void BannerStack::tellCovered()
{
    int bottom = 0;
    for (const QWidget* part : { static_cast<QWidget*>(m_banner), m_card })
        if (part != nullptr && !part->isHidden())
            bottom = std::max(bottom, part->geometry().bottom() + 1);
    Q_EMIT covers(m_view, mapTo(window(), QPoint(0, bottom)).y() - m_view->mapTo(window(), QPoint(0, 0)).y());
}

bool BannerStack::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        place(); // a text or a form became longer
    return done;
}

bool BannerStack::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_card && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        appear();
    if ((watched == m_view || watched == m_strip)
        && (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show
            || event->type() == QEvent::Hide))
        QTimer::singleShot(0, this, &BannerStack::place); // after the window's layout is complete
    return QWidget::eventFilter(watched, event);
}

} // namespace sg::ui
