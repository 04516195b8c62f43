#pragma once

#include "ui/sessions/sample_history.h"

#include <vector>

namespace sg::ui {

// A mark on the plots at the time of an event: a kill for memory, a restart, a pause, throttling.
struct MeterMark {
    enum class Kind { Kill, Throttled, Note };
    double timeMs = 0;
    QString text; // "paused"
    Kind kind = Kind::Note;
    double endMs = kUnknown; // only of Throttled
};
// The marks from samples and the session's notes, in order of time. A sample reports the kills before it.
std::vector<MeterMark> meterMarks(const SampleHistory& history, const std::vector<SessionNoteRow>& notes);

// Adds a live note unless it is known already.
void addNote(std::vector<SessionNoteRow>& notes, const SessionNoteRow& note);

} // namespace sg::ui
