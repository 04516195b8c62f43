#pragma once

#include "ui/run/question.h"

#include <QFrame>

#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

// Several questions answered at once: with what they share, or with one text for all. Ctrl+Enter approves, or
// sends what was typed; Ctrl+Backspace rejects. A question that has no such answer stays.
class BulkCard : public QFrame {
    Q_OBJECT
public:
    explicit BulkCard(QWidget* parent = nullptr);
    // `places`: who asks, a text for each. The same questions again change nothing.
    void setQuestions(const ValueList& asked, const QStringList& places, const QString& note);
    void setCanAnswer(bool canAnswer, const QString& why = {}); // else they are only read
    void focusAnswer(); // the first button, or the field

Q_SIGNALS:
    void answered(const QStringList& json); // by question; empty: that one is not

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offer();
    void choose(Question::Kind kind);
    void respond();
    void send(const QStringList& json);

    ValueList m_values; // as they were asked
    QStringList m_places;
    std::vector<Question> m_questions;
    std::vector<SharedAnswer> m_shared;
    bool m_canAnswer = true;
    QString m_why; // it cannot
    QLabel* m_headline;
    QLabel* m_details;
    QLabel* m_note;
    QHBoxLayout* m_choices;
    std::vector<QPushButton*> m_offered;
    QLineEdit* m_answer;
    QPushButton* m_send;
};

} // namespace sg::ui
