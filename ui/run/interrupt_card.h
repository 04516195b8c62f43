#pragma once

#include "ui/run/question.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

// What a thread waits for, with a button for each answer that the question names and a field for any other;
// the arguments of a tool call can be changed before it is approved. Ctrl+Enter approves, or sends what was
// typed; Ctrl+Backspace rejects. Hidden while nothing waits.
class InterruptCard : public QFrame {
    Q_OBJECT
public:
    explicit InterruptCard(QWidget* parent = nullptr);
    // {"value", "id"}; empty hides. `place`: the thread and its checkpoint.
    void setInterrupts(const ValueList& interrupts, const QString& place = {});
    // `note`: what runs then; may be empty. `id`: of the question; where it is asked again, what was typed
    // stays.
    void setQuestion(const Value& asked, const QString& note, const QString& id);
    void setCanAnswer(bool canAnswer, const QString& why = {}); // else it is only read
    void focusAnswer(); // the first button, or the field

Q_SIGNALS:
    void answered(const QString& answerJson);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void answer();
    void choose(Question::Kind kind);
    void offer();
    void startEditing();
    void sendEdited();
    void tell(const QString& note);

    void send(const QString& json);

    Value m_value; // as it was asked
    QString m_id;
    QString m_told; // the note
    bool m_isSent = false; // what was typed was its answer
    bool m_canAnswer = true;
    QString m_why; // it cannot
    Question m_asked;
    QLabel* m_question;
    QLabel* m_details;
    QLabel* m_note;
    QHBoxLayout* m_choices;
    std::vector<QPushButton*> m_offered;
    QPlainTextEdit* m_arguments; // while they are changed
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
