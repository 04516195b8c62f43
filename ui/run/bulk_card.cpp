#include "ui/run/bulk_card.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr qsizetype kNamedPlaces = 4; // the list above names all

// Example: "alice, step 4 · bob, step 2 · 3 more"
QString namesOf(const QStringList& places)
{
    QString names = places.mid(0, kNamedPlaces).join(QStringLiteral(" · "));
    if (places.size() > kNamedPlaces)
        names += QStringLiteral(" · ") + BulkCard::tr("%1 more").arg(places.size() - kNamedPlaces);
    return names;
}

} // namespace

BulkCard::BulkCard(QWidget* parent)
    : QFrame(parent)
    , m_headline(new QLabel(this))
    , m_details(new QLabel(this))
    , m_note(new QLabel(this))
    , m_choices(new QHBoxLayout)
    , m_answer(new QLineEdit(this))
    , m_send(new QPushButton(this))
{
    setObjectName(QStringLiteral("bulkCard"));
    setAccessibleName(tr("Several questions"));
    for (QLabel* label : { m_headline, m_details, m_note }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_headline->setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    m_details->setFont(uiFont(TextSize::Normal));
    m_note->setFont(uiFont(TextSize::Small));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_choices->setSpacing(8);
    m_answer->setAccessibleName(tr("One answer for all"));
    m_answer->setPlaceholderText(tr("One answer for all: text or JSON"));
    m_send->setProperty("sgPrimary", true);
    m_send->setText(tr("Answer")); // the text while there are no questions
    makeDense(m_send);
    makeDense(m_answer);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_answer, 1);
    row->addWidget(m_send);
    m_choices->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(40, 10, 12, 10);
    layout->setSpacing(8);
    layout->addWidget(m_headline);
    layout->addWidget(m_details);
    layout->addWidget(m_note);
    layout->addLayout(m_choices);
    layout->addLayout(row);
    connect(m_send, &QPushButton::clicked, this, &BulkCard::respond);
    connect(m_answer, &QLineEdit::returnPressed, this, &BulkCard::respond);
    hide();
}

void BulkCard::setQuestions(const ValueList& asked, const QStringList& places, const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    if (asked == m_values && places == m_places)
        return;
    m_values = asked;
    m_places = places;
    m_questions.clear();
    for (const Value& each : asked)
        m_questions.push_back(question(each));
    m_shared = sharedAnswers(m_questions);
    const bool isOne = std::ranges::all_of(asked, [&](const Value& each) { return each == asked.front(); });
    const auto count = static_cast<int>(asked.size());
    m_headline->setText(isOne && !asked.empty() && !m_questions.front().headline.isEmpty()
                            ? tr("%1 times: %2").arg(count).arg(m_questions.front().headline)
                            : tr("%1 questions").arg(count));
    m_details->setText(namesOf(places));
    setAccessibleDescription(m_headline->text() + QLatin1Char('\n') + m_details->text());
    m_send->setText(tr("Answer %1").arg(count));
    m_answer->clear();
    offer();
}

void BulkCard::setCanAnswer(bool canAnswer, const QString& why)
{
    m_canAnswer = canAnswer;
    m_why = why;
    for (QWidget* each : { static_cast<QWidget*>(m_answer), static_cast<QWidget*>(m_send) }) {
        each->setEnabled(canAnswer);
        each->setToolTip(why);
    }
    for (QPushButton* button : m_offered)
        button->setEnabled(canAnswer);
}

void BulkCard::offer()
{
    for (QPushButton* button : m_offered) {
        m_choices->removeWidget(button); // now, because it takes space until it is deleted
        button->hide();
        button->deleteLater();
    }
    m_offered.clear();
    const auto all = static_cast<int>(m_questions.size());
    for (const SharedAnswer& each : m_shared) {
        const QString label = each.count == all ? tr("%1 %2").arg(each.label).arg(all)
                                                : tr("%1 %2 of %3").arg(each.label).arg(each.count).arg(all);
        auto* button = new QPushButton(QString(label).replace(QLatin1Char('&'), QLatin1String("&&")), this);
        button->setAccessibleName(label);
        button->setEnabled(m_canAnswer);
        button->setProperty("sgPrimary", each.kind == Question::Kind::Approve);
        button->setToolTip(!m_canAnswer                               ? m_why
                               : each.kind == Question::Kind::Approve ? tr("Ctrl+Enter")
                               : each.kind == Question::Kind::Reject  ? tr("Ctrl+Backspace")
                                                                      : QString());
        makeDense(button);
        m_choices->insertWidget(static_cast<int>(m_offered.size()), button);
        m_offered.push_back(button);
        button->show(); // now, because it may get the focus at once
        connect(button, &QPushButton::clicked, this, [this, json = each.json] { send(json); });
    }
    m_send->setProperty("sgPrimary", std::ranges::none_of(m_shared, [](const SharedAnswer& each) {
                            return each.kind == Question::Kind::Approve;
                        }));
}

void BulkCard::focusAnswer()
{
    if (m_offered.empty())
        m_answer->setFocus();
    else
        m_offered.front()->setFocus();
}

void BulkCard::choose(Question::Kind kind)
{
    const auto found = std::ranges::find(m_shared, kind, &SharedAnswer::kind);
    if (found != m_shared.end())
        send(QStringList(found->json));
}

void BulkCard::respond()
{
    const QString typed = m_answer->text().trimmed();
    if (typed.isEmpty())
        return;
    QStringList json;
    for (const Question& each : m_questions)
        json << typedAnswer(each, typed);
    send(json);
}

void BulkCard::send(const QStringList& json)
{
    if (m_canAnswer)
        Q_EMIT answered(json);
}

void BulkCard::keyPressEvent(QKeyEvent* event)
{
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isControl && isEnter && !m_answer->text().trimmed().isEmpty())
        respond();
    else if (isControl && isEnter)
        choose(Question::Kind::Approve);
    else if (isControl && event->key() == Qt::Key_Backspace)
        choose(Question::Kind::Reject);
    else
        QFrame::keyPressEvent(event);
}

void BulkCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::waitingTint));
    painter.fillRect(QRect(0, 0, 3, height()), color(&Tokens::waiting));
    paintStateGlyph(painter, StateKind::Waiting, QRectF(12, 10, 20, 20), tokens().waitingTint);
    painter.fillRect(QRect(0, height() - 1, width(), 1), color(&Tokens::border));
}

} // namespace sg::ui
