#include "ui/sessions/meter_marks.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kHeldBack = 0.05; // share of the time; less is normal scheduling
constexpr double kSameMs = 3000; // the same event may be reported twice within this time

// The text of a note's mark on the plots; empty if it gets none.
QString wordOf(const SessionNoteRow& note, bool isFirst)
{
    using Kind = sessions::SessionEventKind;
    if (!note.event.kind())
        return {};
    switch (*note.event.kind()) {
    case Kind::Restarted: return QObject::tr("restarted");
    case Kind::Started: return isFirst ? QString() : QObject::tr("started again"); // by Restart, same name
    case Kind::Ended: return QObject::tr("ended");
    case Kind::Paused: return QObject::tr("paused");
    case Kind::Unpaused: return QObject::tr("resumed");
    case Kind::LimitsChanged: return QObject::tr("limits changed");
    case Kind::Extended: return QObject::tr("extended");
    case Kind::Sample:
    case Kind::Waiting:
    case Kind::TakenOver: break;
    }
    return {};
}

void addKills(const SampleHistory& history, std::vector<MeterMark>& marks)
{
    qint64 kills = -1;
    for (const SampleRow& sample : history.samples()) {
        if (kills >= 0 && sample.oomKills > kills)
            marks.push_back(
                { sample.timeMs, QObject::tr("killed at the memory limit"), MeterMark::Kind::Kill });
        kills = sample.oomKills;
    }
}

// Adds one mark for each period in which the CPU limit slowed the session.
void addThrottling(const SampleHistory& history, std::vector<MeterMark>& marks)
{
    const SampleRow* before = nullptr;
    MeterMark* open = nullptr;
    std::vector<MeterMark> found;
    for (const SampleRow& sample : history.samples()) {
        const double held = before ? sample.throttledMs - before->throttledMs : 0;
        const double time = before ? sample.timeMs - before->timeMs : 0;
        const bool isHeldBack =
            before && time <= SampleHistory::kGapMs && held > 0 && held >= time * kHeldBack;
        if (isHeldBack && open == nullptr)
            open = &found.emplace_back(MeterMark{ before->timeMs, QObject::tr("held back at the CPU limit"),
                                                  MeterMark::Kind::Throttled, sample.timeMs });
        if (isHeldBack)
            open->endMs = sample.timeMs;
        else
            open = nullptr;
        before = &sample;
    }
    marks.insert(marks.end(), found.begin(), found.end());
}

} // namespace

std::vector<MeterMark> meterMarks(const SampleHistory& history, const std::vector<SessionNoteRow>& notes)
{
    std::vector<MeterMark> marks;
    addKills(history, marks);
    for (const SessionNoteRow& note : notes) {
        const bool isKill = note.text.contains(QLatin1String("memory"))
            && note.event != sessions::SessionEventKind::LimitsChanged;
        const bool isKnown = std::ranges::any_of(marks, [&](const MeterMark& mark) {
            return mark.kind == MeterMark::Kind::Kill && std::abs(mark.timeMs - note.timeMs) < kSameMs;
        });
        if (isKill && isKnown)
            continue;
        const QString word = wordOf(note, &note == &notes.front());
        if (!word.isEmpty())
            marks.push_back({ note.timeMs, isKill ? QObject::tr("killed at the memory limit") : word,
                              isKill ? MeterMark::Kind::Kill : MeterMark::Kind::Note });
    }
    addThrottling(history, marks);
    std::ranges::stable_sort(marks, {}, &MeterMark::timeMs);
    return marks;
}

void addNote(std::vector<SessionNoteRow>& notes, const SessionNoteRow& note)
{
    const bool isKnown = std::ranges::any_of(notes, [&note](const SessionNoteRow& known) {
        return known.event == note.event && known.text == note.text
            && std::abs(known.timeMs - note.timeMs) < kSameMs;
    });
    if (isKnown)
        return;
    notes.push_back(note);
    std::ranges::stable_sort(notes, {}, &SessionNoteRow::timeMs);
}

} // namespace sg::ui
