#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <vector>

// Results of a search and of SQL.
namespace sg::ui {

struct SearchHit {
    enum class Kind { Run, Checkpoint, Task, Log };
    Kind kind = Kind::Checkpoint;
    QString thread;
    QString checkpoint = {}; // its place in the history; empty if unknown
    QString run = {};
    QString node = {};
    int step = 0;
    QString status = {};
    double timeMs = kUnknown;
    QString text = {}; // the text to show
};

struct SearchRows {
    QString query;
    std::vector<SearchHit> hits; // by thread, oldest first; at most kShownHits
    qint64 found = 0; // including those that are not in `hits`
    double seconds = 0;
    UserError error = {}; // `what` is empty if there is none
    int errorAt = -1; // position of the error in the query, or -1
};

struct SqlRows {
    QString sql;
    QStringList columns = {};
    std::vector<QStringList> rows = {};
    bool isCut = false; // there are more rows
    double seconds = 0;
    std::vector<SearchHit> marks = {}; // for rows that name a checkpoint
    UserError error = {};
};

inline constexpr std::size_t kShownHits = 10'000;

} // namespace sg::ui
