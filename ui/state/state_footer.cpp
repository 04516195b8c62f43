#include "ui/state/state_footer.h"

#include "ui/state/value_text.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr qsizetype kDetailLength = 240;
constexpr qsizetype kFooterTipLength = 4000;

QString shortened(const QString& text)
{
    const QString line = text.simplified();
    return line.size() <= kDetailLength ? line : line.left(kDetailLength) + QStringLiteral("…");
}

const TaskRow* firstOf(const std::vector<TaskRow>& tasks, StateKind kind)
{
    const auto found =
        std::ranges::find_if(tasks, [kind](const TaskRow& task) { return stateOf(task.outcome) == kind; });
    return found == tasks.end() ? nullptr : &*found;
}

// Calls of tools that wait for a decision: {"action_requests": [{"name"}]}, [{"action_request": {"action"}}].
QString toolQuestion(const Value& asked)
{
    if (const Value* requests = asked.find("action_requests"); requests != nullptr && requests->isList()) {
        const ValueList& calls = requests->asList();
        return calls.empty()    ? QString()
            : calls.size() == 1 ? StateFooter::tr("Run %1?").arg(utf16(calls.front().stringOr("name", "")))
                                : StateFooter::tr("Run these %1 calls?").arg(calls.size());
    }
    const Value& first = asked.isList() && asked.asList().size() == 1 ? asked.asList().front() : asked;
    const Value* request = first.find("action_request");
    return request != nullptr && request->isMap()
        ? StateFooter::tr("Run %1?").arg(utf16(request->stringOr("action", "")))
        : QString();
}

QString question(const StateView& state)
{
    if (state.interrupts.empty())
        return {};
    const Value& value = state.interrupts.front()["value"];
    if (value.isString())
        return utf16(value.asString());
    if (const QString asked = toolQuestion(value); !asked.isEmpty())
        return asked;
    if (value.isMap()) // as the card that asks it reads it
        for (const char* key : { "question", "message", "prompt" })
            if (const std::string asked = value.stringOr(key, ""); !asked.empty())
                return utf16(asked);
    return valueLine(value);
}

} // namespace

StateFooter::StateFooter(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_detail(new QLabel(this))
{
    setObjectName(QStringLiteral("stateFooter"));
    m_title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_detail->setFont(uiFont(TextSize::Dense));
    for (QLabel* label : { m_title, m_detail }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaledLength(36), 7, 12, 8);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_detail);
    column->addStretch(); // keeps the title at the top without a detail
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    dye();
    hide();
}

void StateFooter::setState(const StateView& state)
{
    if (const TaskRow* failed = firstOf(state.tasks, StateKind::Failed)) {
        const QString whole = failed->detail.isEmpty() ? failed->error : failed->detail;
        say(StateKind::Failed, tr("%1 failed").arg(failed->node), shortened(failed->error),
            whole.left(kFooterTipLength));
    } else if (const TaskRow* waiting = firstOf(state.tasks, StateKind::Waiting);
               waiting || !state.interrupts.empty()) {
        const QString node = waiting ? waiting->node : state.next.join(QStringLiteral(", "));
        const QString asked = question(state);
        say(StateKind::Waiting, tr("%1 waits for you").arg(node), shortened(asked),
            asked.left(kFooterTipLength));
    } else if (firstOf(state.tasks, StateKind::Paused) != nullptr) {
        say(StateKind::Paused, tr("Paused before %1").arg(state.next.join(QStringLiteral(", "))), {});
    } else if (!state.next.isEmpty()) {
        say(StateKind::Queued, tr("Next: %1").arg(state.next.join(QStringLiteral(", "))), {});
    } else if (!state.checkpoint.isEmpty()) {
        say(StateKind::Done, tr("Done. Nothing runs after this step."), {});
    } else {
        hide();
    }
}

void StateFooter::say(StateKind kind, const QString& title, const QString& detail, const QString& whole)
{
    m_kind = kind;
    m_title->setText(title);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    const QString tip = whole == detail ? QString() : whole;
    setToolTip(tip.isEmpty() ? QString() : QStringLiteral("<pre>%1</pre>").arg(tip.toHtmlEscaped()));
    setAccessibleName(detail.isEmpty() ? title : title + QStringLiteral(": ") + detail);
    show();
    update();
}

void StateFooter::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.fillRect(0, 0, width(), 1, color(&Tokens::border));
    const double side = scaledLength(16);
    paintStateGlyph(painter, m_kind, QRectF(12, m_title->y() + (m_title->height() - side) / 2.0, side, side),
                    tokens().window);
}

void StateFooter::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        dye();
}

void StateFooter::dye()
{
    QPalette quiet = m_detail->palette();
    if (quiet.color(QPalette::WindowText) == color(&Tokens::text2))
        return;
    quiet.setColor(QPalette::WindowText, color(&Tokens::text2));
    m_detail->setPalette(quiet);
}

} // namespace sg::ui
