#pragma once

#include "ui/code/code_language.h"

#include <QStringList>

namespace sg::ui {

// Names that code can use besides those in its text.
struct CompletionWords {
    QStringList channels; // of the state
    QStringList names; // of the session
    friend bool operator==(const CompletionWords&, const CompletionWords&) = default;
};

struct Completion {
    int typed = 0; // characters before the cursor that a word replaces
    QStringList words; // sorted words that begin with the typed characters
};

// The words that fit at the cursor: channels where the state is read or an update is written, else words of
// the language, the session and the text. `before` is the line up to the cursor. `asked` also offers words if
// nothing is typed yet.
Completion completionAt(CodeLanguage language, const QString& before, const QString& text,
                        const CompletionWords& words, bool asked);

} // namespace sg::ui
