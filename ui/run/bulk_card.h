#pragma once

#include "ui/run/question.h"

#include <QFrame>

#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

// Answers several questions at once, with an answer that they share or with one text for all. Ctrl+Enter
// approves or sends the text, Ctrl+Backspace rejects. Questions without the chosen answer stay open.
class BulkCard : public QFrame {
    Q_OBJECT
public:
    explicit BulkCard(QWidget* parent = nullptr);
    // `places` names who asks, one for each question. Unchanged questions change nothing.
    void setQuestions(const ValueList& asked, const QStringList& places, const QString& note);
    void setCanAnswer(bool canAnswer, const QString& why = {}); // otherwise read-only; `why` is shown
    void focusAnswer(); // the first button, or the field

Q_SIGNALS:
    void answered(const QStringList& json); // one for each question; empty leaves it open

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offer();
    void choose(Question::Kind kind);
    void respond();
    void send(const QStringList& json);

    ValueList m_values; // the questions as asked
    QStringList m_places;
    std::vector<Question> m_questions;
    std::vector<SharedAnswer> m_shared;
    bool m_canAnswer = true;
    QString m_why; // why it cannot answer
    QLabel* m_headline;
    QLabel* m_details;
    QLabel* m_note;
    QHBoxLayout* m_choices;
    std::vector<QPushButton*> m_offered;
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
