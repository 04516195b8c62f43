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
    , m_details(new QLabel(this))
    , m_choices(new QHBoxLayout)
    , m_answer(new QLineEdit(this))
    , m_send(new QPushButton(tr("Answer"), this))
{
    setObjectName(QStringLiteral("interruptCard"));
    setAccessibleName(tr("Waiting for you"));
    for (QLabel* label : { m_question, m_details }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_question->setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    m_details->setFont(uiFont(TextSize::Normal));
    m_choices->setSpacing(8);
    m_answer->setAccessibleName(tr("Answer"));
    m_send->setProperty("sgPrimary", true);
    makeDense(m_send);
    makeDense(m_answer);

    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addLayout(m_choices);
    row->addWidget(m_answer, 1);
    row->addWidget(m_send);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(40, 10, 12, 10);
    layout->setSpacing(8);
    layout->addWidget(m_question);
    layout->addWidget(m_details);
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
    const Question asked = question(interrupts.front()["value"]);
    const QString more =
        interrupts.size() > 1 ? tr("\n(%1 more waiting)").arg(interrupts.size() - 1) : QString();
    m_question->setText(asked.headline.isEmpty() ? tr("Waiting for you") : asked.headline);
    m_details->setText(asked.details.join(QLatin1Char('\n')) + more);
    m_details->setVisible(!m_details->text().isEmpty());
    setAccessibleDescription(m_question->text() + QLatin1Char('\n') + m_details->text());
    offer(asked.answers);
    m_answer->clear();
    show();
}

void InterruptCard::offer(const std::vector<Question::Answer>& answers)
{
    for (QPushButton* button : m_offered)
        button->deleteLater();
    m_offered.clear();
    for (const Question::Answer& each : answers) {
        QString label = each.label;
        auto* button = new QPushButton(label.replace(QLatin1Char('&'), QLatin1String("&&")), this);
        button->setAccessibleName(tr("Answer %1").arg(each.label));
        makeDense(button);
        m_choices->addWidget(button);
        m_offered.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, json = each.json] { Q_EMIT answered(json); });
    }
    m_answer->setPlaceholderText(answers.empty() ? tr("Answer: text or JSON")
                                                 : tr("Another answer: text or JSON"));
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
