#pragma once

#include "ui/run/question.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

// What a thread waits for, with a button for each answer that the question names and a field for any other.
// Hidden while nothing waits.
class InterruptCard : public QFrame {
    Q_OBJECT
public:
    explicit InterruptCard(QWidget* parent = nullptr);
    void setInterrupts(const ValueList& interrupts); // {"value", "id"}; empty hides

Q_SIGNALS:
    void answered(const QString& answerJson);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void answer();
    void offer(const std::vector<Question::Answer>& answers);

    QLabel* m_question;
    QLabel* m_details;
    QHBoxLayout* m_choices;
    std::vector<QPushButton*> m_offered;
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
