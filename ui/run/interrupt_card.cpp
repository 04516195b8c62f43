#include "ui/run/interrupt_card.h"

#include "core/base/json.h"
#include "ui/run/answer_form.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

InterruptCard::InterruptCard(QWidget* parent)
    : QFrame(parent)
    , m_question(new QLabel(this))
    , m_details(new QLabel(this))
    , m_note(new QLabel(this))
    , m_problem(new InkLabel(&Tokens::failed, TextSize::Dense, QFont::DemiBold, this))
    , m_row(new QHBoxLayout)
    , m_below(new QHBoxLayout)
    , m_choices(new QHBoxLayout)
    , m_form(new AnswerForm(this))
    , m_asJson(new QPushButton(tr("As JSON"), this))
    , m_json(new QPlainTextEdit(this))
    , m_answer(new QLineEdit(this))
    , m_send(new QPushButton(tr("Answer"), this))
{
    setObjectName(QStringLiteral("interruptCard"));
    setAccessibleName(tr("Waiting for you"));
    for (QLabel* label : { m_question, m_details, m_note }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_question->setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    m_details->setFont(uiFont(TextSize::Normal));
    m_note->setFont(uiFont(TextSize::Small));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_json->setFont(monoFont());
    m_json->setAccessibleName(tr("Answer as JSON"));
    m_json->setTabChangesFocus(true);
    m_json->setFixedHeight(scaledLength(120));
    m_json->hide();
    m_asJson->setCheckable(true);
    m_asJson->setProperty("sgFlat", true);
    m_asJson->setToolTip(tr("Write the whole answer as JSON"));
    makeDense(m_asJson);
    m_choices->setSpacing(8);
    m_answer->setAccessibleName(tr("Answer"));
    m_send->setProperty("sgPrimary", true);
    makeDense(m_send);
    makeDense(m_answer);

    m_row->setSpacing(8);
    m_below->setSpacing(8);
    m_row->addLayout(m_choices);
    m_row->addWidget(m_answer, 1);
    m_row->addStretch();
    m_row->addWidget(m_asJson);
    m_row->addWidget(m_send);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(40, 10, 12, 10);
    layout->setSpacing(8);
    layout->addWidget(m_question);
    layout->addWidget(m_details);
    layout->addWidget(m_problem);
    layout->addWidget(m_form);
    layout->addWidget(m_json);
    layout->addWidget(m_note);
    layout->addLayout(m_row);
    layout->addLayout(m_below);
    connect(m_send, &QPushButton::clicked, this, &InterruptCard::answer);
    connect(m_answer, &QLineEdit::returnPressed, this, &InterruptCard::answer);
    connect(m_asJson, &QPushButton::toggled, this, &InterruptCard::showJson);
    connect(m_form, &AnswerForm::edited, this, &InterruptCard::showChanges);
    connect(m_json, &QPlainTextEdit::textChanged, this, &InterruptCard::showChanges);
    hide();
}

void InterruptCard::setInterrupts(const ValueList& interrupts, const QString& place)
{
    if (interrupts.empty()) {
        if (m_isSent)
            m_id.clear(); // answered: the next question is a new one even with the same id
        hide();
        return;
    }
    const Value& first = interrupts.front();
    setQuestion(first["value"],
                interrupts.size() > 1
                    ? tr("%1 more waiting: answer them one by one in the inbox").arg(interrupts.size() - 1)
                    : QString(),
                place + QLatin1Char('/') + QString::fromStdString(first.stringOr("id", "")));
}

void InterruptCard::setQuestion(const Value& asked, const QString& note, const QString& id)
{
    if (id == m_id && !id.isEmpty() && asked == m_value) {
        if (note != m_told)
            tell(note);
        m_told = note;
        show();
        return;
    }
    m_id = id;
    m_value = asked;
    m_told = note;
    m_isSent = false;
    m_asked = question(asked);
    m_question->setText(m_asked.headline.isEmpty() ? tr("Waiting for you") : m_asked.headline);
    m_details->setText(m_asked.details.join(QLatin1Char('\n')));
    m_details->setVisible(!m_details->text().isEmpty());
    tell(note);
    setAccessibleDescription(m_question->text() + QLatin1Char('\n') + m_details->text());
    showFields();
    offer();
    m_answer->clear();
    show();
}

void InterruptCard::tell(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void InterruptCard::setFramed(bool framed)
{
    m_isFramed = framed;
    update();
}

void InterruptCard::setCanAnswer(bool canAnswer, const QString& why)
{
    m_canAnswer = canAnswer;
    m_why = why;
    m_form->setCanEdit(canAnswer, why);
    for (QWidget* each : { static_cast<QWidget*>(m_json), static_cast<QWidget*>(m_asJson),
                           static_cast<QWidget*>(m_answer), static_cast<QWidget*>(m_send) }) {
        each->setEnabled(canAnswer);
        each->setToolTip(why);
    }
    for (QPushButton* button : m_offered)
        button->setEnabled(canAnswer);
}

void InterruptCard::send(const QString& json)
{
    if (!m_canAnswer)
        return;
    m_isSent = true;
    Q_EMIT answered(json);
}

void InterruptCard::offer()
{
    for (QPushButton* button : m_offered)
        button->deleteLater();
    m_offered.clear();
    m_approve = nullptr;
    const auto add = [this](QString label, const QString& spoken) {
        auto* button = new QPushButton(label.replace(QLatin1Char('&'), QLatin1String("&&")), this);
        button->setAccessibleName(spoken);
        button->setEnabled(m_canAnswer);
        makeDense(button);
        m_choices->addWidget(button);
        m_offered.push_back(button);
        button->show(); // now, because it may get the focus at once
        return button;
    };
    for (const Question::Answer& each : m_asked.answers) {
        QPushButton* button = add(each.label, tr("Answer %1").arg(each.label));
        button->setProperty("sgPrimary", each.kind == Question::Kind::Approve);
        button->setToolTip(!m_canAnswer                               ? m_why
                               : each.kind == Question::Kind::Approve ? tr("Ctrl+Enter")
                               : each.kind == Question::Kind::Reject  ? tr("Ctrl+Backspace")
                                                                      : QString());
        const bool isApproval = each.kind == Question::Kind::Approve && !m_asked.tool.isEmpty();
        if (isApproval)
            m_approve = button;
        connect(button, &QPushButton::clicked, this,
                [this, isApproval, json = each.json] { isApproval ? approve(json) : send(json); });
    }
    m_answer->setPlaceholderText(m_asked.form == Question::Form::Decisions       ? tr("Reject, saying why")
                                     : m_asked.form == Question::Form::Responses ? tr("Respond to the model")
                                     : m_asked.answers.empty()                   ? tr("Answer: text or JSON")
                                                               : tr("Another answer: text or JSON"));
    const bool hasApproval = std::ranges::any_of(
        m_asked.answers, [](const Question::Answer& each) { return each.kind == Question::Kind::Approve; });
    m_send->setProperty("sgPrimary", !hasApproval);
    m_send->setText(tr("Answer"));
    m_answer->setVisible(!asksForm());
    m_send->setVisible(true);
    showChanges();
    placeAnswer();
}

void InterruptCard::placeAnswer()
{
    const int beside =
        m_choices->sizeHint().width() + m_send->sizeHint().width() + scaledLength(40 + 12 + 16);
    const bool isBelow = !m_answer->isHidden() && !m_offered.empty()
        && width() - beside < m_answer->fontMetrics().horizontalAdvance(m_answer->placeholderText()) + 24;
    if (isBelow == (m_below->indexOf(m_answer) >= 0))
        return;
    QHBoxLayout& from = isBelow ? *m_row : *m_below;
    from.removeWidget(m_answer);
    from.removeWidget(m_send);
    if (isBelow) {
        m_below->addWidget(m_answer, 1);
        m_below->addWidget(m_send);
    } else {
        m_row->insertWidget(1, m_answer, 1);
        m_row->addWidget(m_send);
    }
}

void InterruptCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    placeAnswer();
}

void InterruptCard::focusAnswer()
{
    if (asksForm())
        m_form->focusFirst();
    else if (m_offered.empty())
        m_answer->setFocus();
    else
        m_offered.front()->setFocus();
}

bool InterruptCard::asksForm() const
{
    return m_asked.tool.isEmpty() && !m_asked.fields.fields.empty();
}

void InterruptCard::showFields()
{
    m_form->setForm(m_asked.fields);
    m_form->setCanEdit(m_canAnswer, m_why);
    const bool canWrite = !m_asked.fields.fields.empty() && !m_asked.fields.isWhole;
    m_asJson->setChecked(false);
    m_asJson->setVisible(canWrite);
    m_json->hide();
    const AnswerFault fault = faultIn(m_asked.problem);
    m_problem->setVisible(!m_asked.problem.isEmpty()
                          && (m_asked.fields.fields.empty() || fault.field.isEmpty()));
    m_problem->setText(tr("The last answer was not taken: %1").arg(fault.what));
    if (!m_asked.problem.isEmpty() && !fault.field.isEmpty() && !m_form->isEmpty())
        m_form->showFault(fault);
}

// The form and the JSON each begin with what was written in the other.
void InterruptCard::showJson(bool isJson)
{
    if (isJson == m_json->isVisible())
        return;
    if (isJson) {
        const auto now = m_form->value();
        m_json->setPlainText(
            QString::fromStdString(toJson(now ? *now : m_asked.arguments, JsonStyle::Indented)));
    } else if (auto written = parseJson(m_json->toPlainText().toStdString())) {
        m_form->setForm(answerForm(m_asked.fields.schema, *written));
    }
    m_json->setVisible(isJson);
    m_form->setVisible(!isJson);
    if (isJson)
        m_json->setFocus();
    showChanges();
}

// Approval says how much of the call was changed.
void InterruptCard::showChanges()
{
    if (m_approve == nullptr || m_asked.fields.fields.empty())
        return;
    int changes = m_form->changes();
    if (m_asJson->isChecked()) {
        const auto written = parseJson(m_json->toPlainText().toStdString());
        changes = written && *written == m_asked.arguments ? 0 : 1;
    }
    m_approve->setText(changes == 0       ? tr("Approve")
                           : changes == 1 ? tr("Approve with 1 change")
                                          : tr("Approve with %1 changes").arg(changes));
}

std::optional<Value> InterruptCard::given()
{
    if (!m_asJson->isChecked())
        return m_form->value();
    auto written = parseJson(m_json->toPlainText().toStdString());
    if (!written) {
        tell(tr("This is not JSON: %1").arg(QString::fromStdString(written.error().message)));
        return std::nullopt;
    }
    if (const auto fault = answerFault(m_asked.fields.schema, *written)) {
        tell(fault->field.isEmpty() ? fault->what : QStringLiteral("%1: %2").arg(fault->field, fault->what));
        return std::nullopt;
    }
    return *std::move(written);
}

// The call as it is, or with the arguments as they were changed.
void InterruptCard::approve(const QString& json)
{
    if (m_asked.fields.fields.empty())
        return send(json);
    const auto arguments = given();
    if (arguments)
        send(*arguments == m_asked.arguments ? json : editedAnswer(m_asked, *arguments));
}

void InterruptCard::answer()
{
    if (asksForm()) {
        if (const auto answer = given())
            send(QString::fromStdString(toJson(*answer)));
    } else if (!m_answer->text().trimmed().isEmpty()) {
        send(typedAnswer(m_asked, m_answer->text().trimmed()));
    }
}

void InterruptCard::choose(Question::Kind kind)
{
    const auto found = std::ranges::find(m_asked.answers, kind, &Question::Answer::kind);
    if (found != m_asked.answers.end())
        kind == Question::Kind::Approve && !m_asked.tool.isEmpty() ? approve(found->json) : send(found->json);
}

void InterruptCard::keyPressEvent(QKeyEvent* event)
{
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isControl && isEnter) {
        if (asksForm() || !m_answer->text().trimmed().isEmpty())
            answer();
        else
            choose(Question::Kind::Approve);
    } else if (isControl && event->key() == Qt::Key_Backspace) {
        choose(Question::Kind::Reject);
    } else {
        QFrame::keyPressEvent(event);
    }
}

void InterruptCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::waitingTint));
    if (m_isFramed) {
        painter.setPen(color(&Tokens::waiting));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    } else {
        painter.fillRect(QRect(0, height() - 1, width(), 1), color(&Tokens::border));
    }
    painter.fillRect(QRect(0, 0, 3, height()), color(&Tokens::waiting));
    paintStateGlyph(painter, StateKind::Waiting, QRectF(12, 10, 20, 20), tokens().waitingTint);
}

} // namespace sg::ui
