#pragma once

#include "core/base/value.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sg::ui {

// What an interrupt asks, as a person reads it.
struct Question {
    struct Answer {
        QString label;
        QString json; // what is sent
    };
    QString headline; // empty: there are details alone
    QStringList details; // "draft: About nothing"
    std::vector<Answer> answers; // to choose from; empty: any
};

// `asked`: whatever the node handed to interrupt(). Text is the headline. Of an object, "question", "message"
// or "prompt" is, and a list of up to six texts or numbers under "answers", "options" or "choices" is what
// can be answered. Everything else is shown, cut to 2,000 characters each.
Question question(const Value& asked);

} // namespace sg::ui
