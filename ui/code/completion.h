#pragma once

#include "ui/code/code_language.h"

#include <QStringList>

namespace sg::ui {

// What code may name beside what stands in it.
struct CompletionWords {
    QStringList channels; // of the state
    QStringList names; // of the session
    friend bool operator==(const CompletionWords&, const CompletionWords&) = default;
};

struct Completion {
    int typed = 0; // characters before the cursor that a word replaces
    QStringList words; // that begin with them; sorted
};

// What may stand where the cursor is: channels where the state is read or an update is written, else the
// words of the language, of the session and of the text. `before`: the line up to the cursor. `asked`: also
// where nothing is typed yet.
Completion completionAt(CodeLanguage language, const QString& before, const QString& text,
                        const CompletionWords& words, bool asked);

} // namespace sg::ui
