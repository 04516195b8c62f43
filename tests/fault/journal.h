#pragma once

#include "core/base/result.h"
#include "core/engine/node_body.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace sg::fault {

// Notes what a run really did, beside the database and on disk before the run goes on. Any thread.
class Journal {
public:
    Journal(const std::filesystem::path& file, int life);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    void taskStarts(const engine::TaskInfo& task);
    void stored(const std::string& checkpoint); // the store has said that it is on disk

private:
    void append(const std::string& line) const;

    const int m_file;
    const int m_life;
};

struct StartedTask {
    int life = 0;
    std::string task;
    int attempt = 1;
    std::string node;
    std::string checkpoint; // that its superstep started from
};

struct JournalContent {
    std::vector<StartedTask> started;
    std::set<std::string> stored; // checkpoints
};
// A last line that is cut off is left out.
JournalContent readJournal(const std::filesystem::path& file);

} // namespace sg::fault
