#include "ui/run/interrupt_card.h"

#include "core/base/json.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kLongestQuestion = 2000;

QString shown(const Value& question)
{
    const std::string text =
        question.isString() ? question.asString() : toJson(question, JsonStyle::Indented);
    return QString::fromStdString(text).left(kLongestQuestion);
}

// Text stands for itself, so that people need no quotes; what is JSON already stays JSON.
QString asJson(const QString& typed)
{
    const std::string text = typed.toStdString();
    return parseJson(text) ? typed : QString::fromStdString(toJson(Value(text)));
}

} // namespace

InterruptCard::InterruptCard(QWidget* parent)
    : QFrame(parent)
    , m_question(new QLabel(this))
    , m_answer(new QLineEdit(this))
    , m_send(new QPushButton(tr("Answer"), this))
{
    setObjectName(QStringLiteral("interruptCard"));
    setAccessibleName(tr("Waiting for you"));
    m_question->setTextFormat(Qt::PlainText);
    m_question->setWordWrap(true);
    m_question->setFont(uiFont(TextSize::Normal));
    m_question->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setAccessibleName(tr("Answer"));
    m_answer->setPlaceholderText(tr("Answer: text or JSON"));
    m_send->setProperty("sgPrimary", true);
    makeDense(m_send);
    makeDense(m_answer);

    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_answer, 1);
    row->addWidget(m_send);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(40, 10, 12, 10);
    layout->setSpacing(8);
    layout->addWidget(m_question);
    layout->addLayout(row);
    connect(m_send, &QPushButton::clicked, this, &InterruptCard::answer);
    connect(m_answer, &QLineEdit::returnPressed, this, &InterruptCard::answer);
    hide();
}

void InterruptCard::setInterrupts(const ValueList& interrupts)
{
    if (interrupts.empty()) {
        hide();
        return;
    }
    const QString more =
        interrupts.size() > 1 ? tr("\n(%1 more waiting)").arg(interrupts.size() - 1) : QString();
    m_question->setText(shown(interrupts.front()["value"]) + more);
    setAccessibleDescription(m_question->text());
    m_answer->clear();
    show();
}

void InterruptCard::answer()
{
    if (!m_answer->text().trimmed().isEmpty())
        Q_EMIT answered(asJson(m_answer->text().trimmed()));
}

void InterruptCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::waitingTint));
    painter.fillRect(QRect(0, 0, 3, height()), color(&Tokens::waiting));
    paintStateGlyph(painter, StateKind::Waiting, QRectF(12, 10, 20, 20), tokens().waitingTint);
    painter.fillRect(QRect(0, height() - 1, width(), 1), color(&Tokens::border));
}

} // namespace sg::ui
