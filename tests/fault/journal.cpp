#include "tests/fault/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

// A line each: "start LIFE TASK ATTEMPT NODE CHECKPOINT" or "stored CHECKPOINT".
namespace sg::fault {

Journal::Journal(const std::filesystem::path& file, int life)
    : m_file(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600))
    , m_life(life)
{
    if (m_file < 0) {
        std::perror(file.c_str());
        std::abort();
    }
}

Journal::~Journal()
{
    ::close(m_file);
}

void Journal::taskStarts(const engine::TaskInfo& task)
{
    append("start " + std::to_string(m_life) + ' ' + task.task.value + ' ' + std::to_string(task.attempt)
           + ' ' + task.node.value + ' ' + task.checkpoint.value + '\n');
}

void Journal::stored(const std::string& checkpoint)
{
    append("stored " + checkpoint + '\n');
}

void Journal::append(const std::string& line) const
{
    if (::write(m_file, line.data(), line.size()) != static_cast<ssize_t>(line.size())
        || ::fdatasync(m_file) != 0) {
        std::perror("journal");
        std::abort();
    }
}

JournalContent readJournal(const std::filesystem::path& file)
{
    JournalContent content;
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line) && !in.eof()) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "start") {
            StartedTask& task = content.started.emplace_back();
            words >> task.life >> task.task >> task.attempt >> task.node >> task.checkpoint;
        } else {
            words >> line;
            content.stored.insert(line);
        }
    }
    return content;
}

} // namespace sg::fault
