#pragma once

#include "core/base/value.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sg::ui {

// What an interrupt asks, as a person reads it.
struct Question {
    enum class Kind { Other, Approve, Reject };
    struct Answer {
        QString label;
        QString json; // what is sent
        Kind kind = Kind::Other;
    };
    QString headline; // empty: there are details alone
    QStringList details; // "draft: About nothing"
    std::vector<Answer> answers; // to choose from; empty: any

    // Of a tool call that waits for approval: what can be changed, and how it is sent.
    enum class Form { Free, Decisions, Responses };
    Form form = Form::Free;
    Value arguments; // null: they cannot be changed
    QString tool;
};

// What is sent for a text that was typed: JSON as it is, all else as a string; in the form that the question
// wants, where it is a tool call's (a refusal with a message, or a response).
QString typedAnswer(const Question& question, const QString& typed);
// The call with other arguments.
QString editedAnswer(const Question& question, const Value& arguments);

// What several questions can be answered with at once: approval and refusal where some offer them, each in
// its own words and form, and other answers where all do.
struct SharedAnswer {
    QString label;
    Question::Kind kind = Question::Kind::Other;
    QStringList json; // by question; empty: that one has no such answer, and stays
    int count = 0; // of those that have it
};
std::vector<SharedAnswer> sharedAnswers(const std::vector<Question>& questions);

// `asked`: whatever the node handed to interrupt(). Text is the headline. Of an object, "question", "message"
// or "prompt" is, and a list of up to six texts or numbers under "answers", "options" or "choices" is what
// can be answered. LangChain's requests for approval, of tools ("action_requests", answered by "decisions")
// and of people (a list of "action_request", answered by a list), are known by their form. Everything else is
// shown, cut to 2,000 characters each.
Question question(const Value& asked);

} // namespace sg::ui
