#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/selection/history_model.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sg::ui {

// Holds what jq programs say of the states of the shown thread, mark by mark, and what is to be asked next.
class WatchTracks {
public:
    struct Track {
        QString program;
        QString error; // of the program: it says nothing
        std::vector<float> numbers; // by mark; NaN: none
        QHash<int, QString> words; // of marks whose value is no number
        QHash<int, QString> errors; // of marks
        double least = 0; // of the numbers
        double most = 0;
        bool hasNumbers = false;

    private:
        friend class WatchTracks;
        int m_asked = 0; // marks before this one were asked for
    };
    static constexpr int kMostTracks = 4;
    static constexpr int kMostAsked = 100'000; // checkpoints, the newest

    bool add(const QString& program); // false: it is there, or there are too many
    void remove(const QString& program);
    void forget(); // other checkpoints: what was said of the old ones goes
    [[nodiscard]] const std::vector<Track>& tracks() const { return m_tracks; }

    struct Question {
        QString program;
        QStringList way; // newest first
    };
    // Returns the next question if none is under way.
    std::optional<Question> next(const HistoryModel& model);
    void take(const WatchRows& rows, const HistoryModel& model);

    // Returns what the program says at that mark, for people; empty: nothing yet.
    static QString wordsAt(const Track& track, int mark);

private:
    std::vector<Track> m_tracks;
    bool m_isAsking = false;
};

} // namespace sg::ui
