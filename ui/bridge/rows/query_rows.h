#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <vector>

// What a search found, and what SQL answered.
namespace sg::ui {

struct SearchHit {
    enum class Kind { Run, Checkpoint, Task, Log };
    Kind kind = Kind::Checkpoint;
    QString thread;
    QString checkpoint = {}; // where it stands in the history; empty: unknown
    QString run = {};
    QString node = {};
    int step = 0;
    QString status = {};
    double timeMs = kUnknown;
    QString text = {}; // what people read of it
};

struct SearchRows {
    QString query;
    std::vector<SearchHit> hits; // by thread, oldest first; at most kShownHits
    qint64 found = 0; // with those behind them
    double seconds = 0;
    UserError error = {}; // `what` empty: none
    int errorAt = -1; // the character of the query that it is about; −1: none
};

struct SqlRows {
    QString sql;
    QStringList columns = {};
    std::vector<QStringList> rows = {};
    bool isCut = false; // there were more
    double seconds = 0;
    std::vector<SearchHit> marks = {}; // of rows that name a checkpoint
    UserError error = {};
};

inline constexpr std::size_t kShownHits = 10'000;

} // namespace sg::ui
