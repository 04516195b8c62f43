#include "ui/widgets/segmented_control.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style_controls.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>

namespace sg::ui {

namespace {

constexpr int kPadding = 10;
constexpr int kGap = 5;
constexpr int kIconSize = 14;

class Segment : public QAbstractButton {
public:
    Segment(const QString& text, const QIcon& icon, const QVariant& value, SegmentedControl* control)
        : QAbstractButton(control)
        , m_control(control)
        , m_data(value)
    {
        setText(text);
        setIcon(icon);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
    }

    [[nodiscard]] const QVariant& data() const { return m_data; }

    [[nodiscard]] QSize sizeHint() const override
    {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const int words =
            text().isEmpty() ? 0 : QFontMetrics(bold).size(Qt::TextShowMnemonic, text()).width();
        const int sign = icon().isNull() ? 0 : kIconSize + (words > 0 ? kGap : 0);
        const bool dense = m_control->property("sgDense").toBool();
        return { words + sign + 2 * kPadding, scaledLength(dense ? 24 : 28) };
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Tokens& t = tokens();
        const bool first = m_control->segment(0) == this;
        const bool last = m_control->segment(m_control->count() - 1) == this;
        QPainterPath outline;
        outline.addRoundedRect(QRectF(rect()).adjusted(first ? 1 : -8, 1, last ? -1 : 8, -1), 3, 3);
        painter.setClipPath(outline);
        if (isChecked())
            painter.fillRect(rect(), QColor(isEnabled() ? t.selection : t.hover));
        else if (underMouse() && isEnabled())
            painter.fillRect(rect(), QColor(t.hover));
        painter.setClipping(false);
        if (!first)
            painter.fillRect(QRect(0, 1, 1, height() - 2), QColor(t.border));
        paintContent(painter);
        if (hasFocus() && m_keyboardFocus)
            paint::focusRing(painter, QRectF(rect()));
    }
    void focusInEvent(QFocusEvent* event) override
    {
        m_keyboardFocus = event->reason() != Qt::MouseFocusReason;
        QAbstractButton::focusInEvent(event);
    }

private:
    void paintContent(QPainter& painter)
    {
        QFont shown = font();
        if (isChecked())
            shown.setWeight(QFont::DemiBold);
        painter.setFont(shown);
        const QSize words =
            text().isEmpty() ? QSize() : QFontMetrics(shown).size(Qt::TextShowMnemonic, text());
        const int sign = icon().isNull() ? 0 : kIconSize + (text().isEmpty() ? 0 : kGap);
        int x = (width() - std::max(0, words.width()) - sign) / 2;
        if (sign > 0) {
            icon().paint(&painter, QRect(x, (height() - kIconSize) / 2, kIconSize, kIconSize),
                         Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
            x += sign;
        }
        painter.setPen(
            palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
        painter.drawText(QRect(x, 0, width() - x, height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, text());
    }

    SegmentedControl* m_control;
    QVariant m_data;
    bool m_keyboardFocus = false;
};

} // namespace

SegmentedControl::SegmentedControl(const QString& accessibleName, Mode mode, QWidget* parent)
    : QWidget(parent)
    , m_mode(mode)
    , m_group(new QButtonGroup(this))
{
    setAccessibleName(accessibleName);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_group->setExclusive(mode == Mode::Single);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    // Clicks are not enough, because screen readers toggle.
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (m_mode == Mode::Toggles)
            Q_EMIT toggled(id, on);
        else if (on)
            Q_EMIT activated(id);
    });
}

int SegmentedControl::addSegment(const QString& text, const QVariant& value, const QIcon& icon)
{
    auto* added = new Segment(text, icon, value, this);
    const int index = count();
    m_group->addButton(added, index);
    layout()->addWidget(added);
    const QSignalBlocker quiet(m_group);
    if (m_mode == Mode::Single && index == 0)
        added->setChecked(true);
    return index;
}

int SegmentedControl::count() const
{
    return static_cast<int>(m_group->buttons().size());
}

int SegmentedControl::currentIndex() const
{
    return m_mode == Mode::Single ? m_group->checkedId() : -1;
}

QVariant SegmentedControl::currentData() const
{
    const auto* current = static_cast<const Segment*>(m_group->button(currentIndex()));
    return current ? current->data() : QVariant();
}

void SegmentedControl::setCurrentIndex(int index)
{
    const QSignalBlocker quiet(m_group);
    if (QAbstractButton* button = m_group->button(index)) {
        button->setChecked(true);
    } else if (QAbstractButton* former = m_group->checkedButton()) {
        m_group->setExclusive(false);
        former->setChecked(false);
        m_group->setExclusive(m_mode == Mode::Single);
    }
}

bool SegmentedControl::isOn(int index) const
{
    const QAbstractButton* button = m_group->button(index);
    return button && button->isChecked();
}

void SegmentedControl::setOn(int index, bool on)
{
    const QSignalBlocker quiet(m_group);
    if (QAbstractButton* button = m_group->button(index))
        button->setChecked(on);
}

QAbstractButton* SegmentedControl::segment(int index) const
{
    return m_group->button(index);
}

void SegmentedControl::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    paint::roundedFrame(painter, QRectF(rect()), t.button, t.border);
}

} // namespace sg::ui
