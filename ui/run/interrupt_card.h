#pragma once

#include "ui/run/question.h"

#include <QFrame>

#include <optional>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

class AnswerForm;
class InkLabel;

// A thread's question, with a button for each answer that it names, fields where it has a form, and a line
// for any other answer. The arguments of a tool call can be changed before approval, as fields or JSON.
// Ctrl+Enter approves or sends the text, Ctrl+Backspace rejects. Hidden while there is no question.
class InterruptCard : public QFrame {
    Q_OBJECT
public:
    explicit InterruptCard(QWidget* parent = nullptr);
    // Each is {"value", "id"}; none hides the card. `place` names the thread and its checkpoint.
    void setInterrupts(const ValueList& interrupts, const QString& place = {});
    // `note` tells what runs then, and may be empty. If a question with the same `id` comes again, the typed
    // text stays.
    void setQuestion(const Value& asked, const QString& note, const QString& id);
    void setFramed(bool framed); // draws a frame around it, for a card over a view
    void setCanAnswer(bool canAnswer, const QString& why = {}); // otherwise read-only; `why` is shown
    void focusAnswer(); // the first button, or the field

Q_SIGNALS:
    void answered(const QString& answerJson);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void answer();
    void choose(Question::Kind kind);
    void offer();
    void showFields();
    void showJson(bool isJson);
    void showChanges();
    void placeAnswer(); // in a row of its own where the buttons leave it no room
    [[nodiscard]] bool asksForm() const; // its answer is one
    [[nodiscard]] std::optional<Value> given(); // by the form or as JSON; nullopt: something is wrong
    void approve(const QString& json);
    void tell(const QString& note);

    void send(const QString& json);

    Value m_value; // the question as asked
    QString m_id;
    QString m_told; // the shown note
    bool m_isSent = false; // the typed text was sent
    bool m_isFramed = false;
    bool m_canAnswer = true;
    QString m_why; // why it cannot answer
    Question m_asked;
    QLabel* m_question;
    QLabel* m_details;
    QLabel* m_note;
    InkLabel* m_problem; // why the last answer was not taken
    QHBoxLayout* m_row;
    QHBoxLayout* m_below;
    QHBoxLayout* m_choices;
    std::vector<QPushButton*> m_offered;
    QPushButton* m_approve = nullptr; // one of those
    AnswerForm* m_form;
    QPushButton* m_asJson;
    QPlainTextEdit* m_json; // in place of the form
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
