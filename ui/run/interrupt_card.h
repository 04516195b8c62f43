#pragma once

#include "core/base/value.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

// What a thread waits for, with a field for the answer. Hidden while nothing waits.
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

    QLabel* m_question;
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
