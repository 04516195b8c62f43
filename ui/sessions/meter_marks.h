#pragma once

#include "ui/sessions/sample_history.h"

#include <vector>

namespace sg::ui {

// Something that the plots show at its time: a kill for memory, a restart, a pause, being held back.
struct MeterMark {
    enum class Kind { Kill, Throttled, Note };
    double timeMs = 0;
    QString text; // "paused"
    Kind kind = Kind::Note;
    double endMs = kUnknown; // of Throttled
};
// From the samples (a kill is counted in the one that follows it) and the session's notes, in order of time.
std::vector<MeterMark> meterMarks(const SampleHistory& history, const std::vector<SessionNoteRow>& notes);

// One more that was told live; nothing where it was read already.
void addNote(std::vector<SessionNoteRow>& notes, const SessionNoteRow& note);

} // namespace sg::ui
