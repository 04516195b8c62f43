#include "ui/widgets/banner.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/rich_sentence.h"
#include "ui/widgets/style.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace sg::ui {

namespace {

struct Look {
    QLatin1String icon;
    Token ink;
    Token fill;
};

Look lookOf(Banner::Kind kind)
{
    switch (kind) {
    case Banner::Kind::Viewing: return { QLatin1String("eye"), &Tokens::accent, &Tokens::accentTint };
    case Banner::Kind::Info: return { QLatin1String("info"), &Tokens::text2, &Tokens::neutralTint };
    case Banner::Kind::Paused: return { QLatin1String("pause"), &Tokens::waiting, &Tokens::waitingTint };
    case Banner::Kind::Warning: return { QLatin1String("warn"), &Tokens::warn, &Tokens::warnTint };
    case Banner::Kind::Error: return { QLatin1String("error"), &Tokens::failed, &Tokens::failedTint };
    }
    return { QLatin1String("info"), &Tokens::text2, &Tokens::neutralTint };
}

} // namespace

Banner::Banner(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_actions(new QHBoxLayout)
    , m_close(new QToolButton(this))
{
    setMinimumHeight(scaledLength(32));
    m_text->setFont(uiFont(TextSize::Dense));
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setIcon(icon(QLatin1String("close")));
    m_close->setIconSize(QSize(14, 14));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Hide this message"));
    m_close->setAccessibleName(tr("Hide this message"));
    makeDense(m_close);
    m_close->hide();
    m_actions->setSpacing(4);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 3, 8, 4);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addLayout(m_actions);
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    hide();
}

void Banner::showMessage(Kind kind, const QString& text)
{
    m_kind = kind;
    m_iconName = lookOf(kind).icon;
    showIcon();
    m_text->setText(richSentence(text));
    QString plain = text;
    plain.remove(QLatin1Char('`')).remove(QStringLiteral("**"));
    setAccessibleName(plain);
    setVisible(true);
    update();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void Banner::setIcon(QLatin1String name)
{
    m_iconName = name;
    showIcon();
}

QPushButton* Banner::addButton(const QString& text)
{
    return addAction(text, nullptr);
}

QPushButton* Banner::addLink(const QString& text)
{
    return addAction(text, "sgLink");
}

QPushButton* Banner::addAction(const QString& text, const char* variant)
{
    auto* button = new QPushButton(text, this);
    if (variant)
        button->setProperty(variant, true);
    makeDense(button);
    m_actions->addWidget(button);
    return button;
}

void Banner::clearActions()
{
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

void Banner::setClosable(bool closable)
{
    m_close->setVisible(closable);
}

void Banner::setFramed(bool framed)
{
    m_isFramed = framed;
    update();
}

void Banner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Look look = lookOf(m_kind);
    const Token line = m_kind == Kind::Info ? &Tokens::border : look.ink;
    if (m_isFramed) {
        painter.fillRect(rect(), color(&Tokens::raised)); // the tint may be translucent
        painter.fillRect(rect(), color(look.fill));
        painter.setPen(color(line));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.fillRect(QRect(0, 0, scaledLength(3), height()), color(look.ink));
        return;
    }
    painter.fillRect(rect(), color(look.fill));
    painter.fillRect(QRect(0, height() - 1, width(), 1), color(line));
}

void Banner::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_iconName.isEmpty())
        showIcon();
}

void Banner::showIcon()
{
    m_icon->setPixmap(icon(m_iconName, lookOf(m_kind).ink).pixmap(QSize(16, 16), devicePixelRatioF()));
}

} // namespace sg::ui
