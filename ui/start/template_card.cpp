#include "ui/start/template_card.h"

#include "ui/start/graph_picture.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kWordsHeight = 54; // height below the picture
constexpr int kHintWidth = 238;

} // namespace

TemplateCard::TemplateCard(TemplateRow row, int pictureHeight, QWidget* parent)
    : QAbstractButton(parent)
    , m_row(std::move(row))
    , m_pictureHeight(pictureHeight)
{
    setObjectName(QStringLiteral("template-") + m_row.id);
    setText(m_row.title);
    setAccessibleName(m_row.isExample ? tr("Example %1").arg(m_row.title) : m_row.title);
    setAccessibleDescription(m_row.facts);
    setToolTip(m_row.description);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumWidth(scaledLength(200));
}

void TemplateCard::setVerb(const QString& verb)
{
    m_verb = verb;
    setAccessibleName(verb);
}

QSize TemplateCard::sizeHint() const
{
    return { scaledLength(kHintWidth), scaledLength(m_pictureHeight) + scaledLength(kWordsHeight) };
}

void TemplateCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isMarked = isChecked() || hasFocus();
    const double inset = isMarked ? 1 : 0.5;
    const QRectF box = QRectF(rect()).adjusted(inset, inset, -inset, -inset);
    QPainterPath shape;
    shape.addRoundedRect(box, 6, 6);
    const QRectF picture(0, 0, width(), scaledLength(m_pictureHeight));
    painter.save();
    painter.setClipPath(shape);
    painter.fillRect(picture, color(&Tokens::canvas));
    painter.fillRect(QRectF(0, picture.bottom(), width(), height() - picture.bottom()),
                     color(isChecked()        ? &Tokens::accentTint
                               : underMouse() ? &Tokens::alt
                                              : &Tokens::raised));
    painter.fillRect(QRectF(0, picture.bottom(), width(), 1), color(&Tokens::subtle));
    paintGraphPicture(painter, m_row.graph, picture);
    painter.restore();
    paintWords(painter, QRectF(12, picture.bottom(), width() - 24, height() - picture.bottom()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(isMarked ? &Tokens::accent : &Tokens::border), isMarked ? 2 : 1));
    painter.drawPath(shape);
}

void TemplateCard::paintWords(QPainter& painter, const QRectF& room)
{
    const double middle = room.top() + scaledLength(19);
    double right = room.right();
    if (!m_verb.isEmpty()) {
        painter.setFont(uiFont(TextSize::Dense));
        painter.setPen(color(&Tokens::accent));
        const double wide = painter.fontMetrics().horizontalAdvance(m_verb);
        painter.drawText(QRectF(right - wide, middle - 10, wide + 1, 20), Qt::AlignVCenter, m_verb);
        right -= wide + 8;
    } else if (m_row.isExample) {
        const ChipText chip{ {}, tr("Example") };
        right -= chipWidth(chip);
        paintChip(painter, chip, { right, middle });
        right -= 8;
    }
    painter.setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    painter.setPen(color(&Tokens::text));
    const QString title =
        painter.fontMetrics().elidedText(m_row.title, Qt::ElideRight, static_cast<int>(right - room.left()));
    painter.drawText(QRectF(room.left(), middle - 10, right - room.left(), 20), Qt::AlignVCenter, title);
    painter.setFont(uiFont(TextSize::Dense));
    painter.setPen(color(&Tokens::text2));
    const QString facts =
        painter.fontMetrics().elidedText(m_row.facts, Qt::ElideRight, static_cast<int>(room.width()));
    painter.drawText(QRectF(room.left(), middle + scaledLength(8), room.width(), scaledLength(20)),
                     Qt::AlignVCenter, facts);
}

void TemplateCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QAbstractButton::keyPressEvent(event);
        return;
    }
    click();
    Q_EMIT activated();
}

void TemplateCard::mouseDoubleClickEvent(QMouseEvent* event)
{
    QAbstractButton::mouseDoubleClickEvent(event);
    Q_EMIT activated();
}

void TemplateCard::enterEvent(QEnterEvent*)
{
    update();
}

void TemplateCard::leaveEvent(QEvent*)
{
    update();
}

} // namespace sg::ui
