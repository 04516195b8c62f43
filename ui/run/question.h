#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/answer_fields.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sg::ui {

// The readable form of an interrupt.
struct Question {
    enum class Kind { Other, Approve, Reject };
    struct Answer {
        QString label;
        QString json; // the value to send
        Kind kind = Kind::Other;
    };
    QString headline; // may be empty if there are details
    QStringList details; // "draft: About nothing"
    std::vector<Answer> answers; // choices; any answer is possible if empty

    // The way in which the arguments of a tool call that waits for approval are sent back.
    enum class Form { Free, Decisions, Responses };
    Form form = Form::Free;
    Value arguments; // null if they cannot be changed
    QString tool;

    // Fields for the answer, or for the arguments of a call; none: it is answered otherwise.
    AnswerFormRow fields;
    QString problem; // why the last answer was not taken
};

// The JSON for a typed text: JSON stays as it is, other text becomes a string. For a tool call it gets the
// form of a rejection with a message, or of a response.
QString typedAnswer(const Question& question, const QString& typed);
// The JSON that approves the call with other arguments.
QString editedAnswer(const Question& question, const Value& arguments);

// An answer to several questions at once: approval and rejection if some offer them, each in its own form,
// and other answers if all offer them.
struct SharedAnswer {
    QString label;
    Question::Kind kind = Question::Kind::Other;
    QStringList json; // one for each question; empty if it has no such answer
    int count = 0; // questions that have it
};
std::vector<SharedAnswer> sharedAnswers(const std::vector<Question>& questions);

// `asked` is the value that the node gave to interrupt(). Text becomes the headline. In an object,
// "question", "message" or "prompt" is the headline, and a list of up to six texts or numbers under
// "answers", "options" or "choices" gives the choices. LangChain's requests for approval, of tools
// ("action_requests", answered by "decisions") and of people (a list of "action_request", answered by a
// list), are recognized by their form. A JSON Schema under "schema", a "value" to be changed beside the
// headline alone, and more answers than there is room for buttons, give fields. Everything else is shown,
// each value cut to 2,000 characters.
Question question(const Value& asked);

} // namespace sg::ui
