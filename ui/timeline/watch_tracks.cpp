#include "ui/timeline/watch_tracks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {

namespace {

const float kNoNumber = std::numeric_limits<float>::quiet_NaN();

} // namespace

bool WatchTracks::add(const QString& program)
{
    const QString words = program.trimmed();
    if (words.isEmpty() || static_cast<int>(m_tracks.size()) >= kMostTracks
        || std::ranges::find(m_tracks, words, &Track::program) != m_tracks.end())
        return false;
    m_tracks.emplace_back().program = words;
    return true;
}

void WatchTracks::remove(const QString& program)
{
    std::erase_if(m_tracks, [&program](const Track& track) { return track.program == program; });
}

void WatchTracks::forget()
{
    m_isAsking = false;
    for (Track& track : m_tracks) {
        Track fresh;
        fresh.program = track.program;
        track = fresh;
    }
}

std::optional<WatchTracks::Question> WatchTracks::next(const HistoryModel& model)
{
    const int count = static_cast<int>(model.marks().size());
    if (m_isAsking)
        return std::nullopt;
    for (Track& track : m_tracks) {
        if (track.m_asked >= count || !track.error.isEmpty())
            continue;
        Question question{ track.program, {} };
        const int from = std::max(track.m_asked, count - kMostAsked);
        for (int mark = count - 1; mark >= from; --mark)
            question.way << model.id(mark);
        track.m_asked = count;
        m_isAsking = true;
        return question;
    }
    return std::nullopt;
}

void WatchTracks::take(const WatchRows& rows, const HistoryModel& model)
{
    if (rows.isLast)
        m_isAsking = false;
    const auto track = std::ranges::find(m_tracks, rows.program, &Track::program);
    if (track == m_tracks.end() || rows.thread != model.thread())
        return; // it was removed, or another thread is shown
    track->error = rows.error;
    track->numbers.resize(model.marks().size(), kNoNumber);
    for (const WatchPoint& point : rows.points) {
        const int mark = model.find(point.checkpoint);
        if (mark == HistoryModel::kNone)
            continue;
        if (!point.error.isEmpty()) {
            track->errors.insert(mark, point.error);
        } else if (std::isnan(point.number)) {
            track->words.insert(mark, point.text);
        } else {
            track->numbers[static_cast<std::size_t>(mark)] = static_cast<float>(point.number);
            track->least = track->hasNumbers ? std::min(track->least, point.number) : point.number;
            track->most = track->hasNumbers ? std::max(track->most, point.number) : point.number;
            track->hasNumbers = true;
        }
    }
}

QString WatchTracks::wordsAt(const Track& track, int mark)
{
    if (!track.error.isEmpty())
        return track.error;
    if (mark == HistoryModel::kNone)
        return {};
    if (const auto error = track.errors.constFind(mark); error != track.errors.constEnd())
        return *error;
    if (const auto words = track.words.constFind(mark); words != track.words.constEnd())
        return *words;
    const auto place = static_cast<std::size_t>(mark);
    if (place >= track.numbers.size() || std::isnan(track.numbers[place]))
        return {};
    return QString::number(static_cast<double>(track.numbers[place]), 'g', 7);
}

} // namespace sg::ui
