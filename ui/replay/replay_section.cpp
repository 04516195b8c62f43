#include "ui/replay/replay_section.h"

#include "ui/widgets/badge.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/rewind_sign.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>

namespace sg::ui {

ReplaySection::ReplaySection(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(title, this))
    , m_count(new Badge(Badge::Kind::Quiet, this))
    , m_column(new QVBoxLayout(this))
{
    auto* head = new QWidget(this);
    head->setFixedHeight(scaledLength(32));
    m_head = new QHBoxLayout(head);
    m_title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_head->setContentsMargins(12, 0, 12, 0);
    m_head->setSpacing(6);
    m_head->addWidget(m_title);
    m_head->addWidget(m_count);
    m_head->addStretch();
    m_column->setContentsMargins(0, 0, 1, 0); // space for the line on the right
    m_column->setSpacing(0);
    m_column->addWidget(head);
}

void ReplaySection::setBody(QWidget* body)
{
    m_column->addWidget(body, 1);
}

QLabel* ReplaySection::setWords(const QString& name)
{
    auto* label = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, this);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setContentsMargins(12, 4, 12, 8);
    auto* area = new QScrollArea(this); // any number of lines can be read
    area->setAccessibleName(name);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setWidget(label);
    area->viewport()->setAutoFillBackground(false);
    label->setAutoFillBackground(false);
    setBody(area);
    return label;
}

void ReplaySection::addFoot(QWidget* foot)
{
    m_column->addWidget(foot);
}

void ReplaySection::setTitle(const QString& title)
{
    m_title->setText(title);
}

RewindSign* ReplaySection::addSign()
{
    auto* sign = new RewindSign(&Tokens::base, this);
    m_head->insertWidget(0, sign);
    return sign;
}

void ReplaySection::setCount(int count)
{
    m_count->setCount(count);
}

QPushButton* ReplaySection::addLink(const QString& text)
{
    auto* link = new QPushButton(text, this);
    link->setProperty("sgLink", true);
    makeDense(link);
    m_head->addWidget(link);
    return link;
}

QLabel* ReplaySection::addNote(const QString& text)
{
    auto* note = new QLabel(text, this);
    note->setFont(uiFont(TextSize::Small));
    note->setForegroundRole(QPalette::PlaceholderText);
    m_head->addWidget(note);
    return note;
}

void ReplaySection::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::base));
    painter.fillRect(width() - 1, 0, 1, height(), color(&Tokens::border));
}

} // namespace sg::ui
