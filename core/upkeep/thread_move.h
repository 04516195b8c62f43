#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/word.h"
#include "core/checkpoint/checkpoint_store.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// These functions carry threads from one checkpoint database to another, of the same kind or not. A thread
// arrives in one transaction, so it is there whole or not at all; what is there already is not carried again,
// so a move that was broken off goes on where it ended.
namespace sg::upkeep {

// A database, open for changes, and the SQLite file that holds what only this program records of its threads:
// the database itself, or the one beside a database on a server.
struct ThreadPlace {
    checkpoint::CheckpointStore& store;
    std::filesystem::path file;
    std::string name; // for people
};

enum class ThreadFate {
    Carried,
    There, // all of it was there before, maybe with more
    Busy, // a run is under way on it, here or there
    Different, // there is another thread of that name, or it has gone on in both places
    Failed, // something of it cannot be read, or the other place does not take it
};
constexpr auto namesOf(ThreadFate)
{
    return std::to_array<std::pair<ThreadFate, std::string_view>>({
        { ThreadFate::Carried, "carried" },
        { ThreadFate::There, "there" },
        { ThreadFate::Busy, "busy" },
        { ThreadFate::Different, "different" },
        { ThreadFate::Failed, "failed" },
    });
}

struct MovedThread {
    ThreadId thread;
    Word<ThreadFate> fate{};
    std::int64_t checkpoints = 0; // of it, with those of subgraphs
    std::int64_t writes = 0;
    bool isRemoved = false; // from where it was
    std::string error{}; // why it was not carried; empty: it was, or was there
};

struct ThreadMove {
    std::vector<MovedThread> threads; // in the order in which they were carried: those used last first
    [[nodiscard]] std::int64_t count(ThreadFate fate) const;
    [[nodiscard]] std::int64_t left() const // those that are in their former place alone
    {
        return std::ssize(threads) - count(ThreadFate::Carried) - count(ThreadFate::There);
    }
};

struct ThreadChoice {
    std::optional<ThreadId> thread; // else all
    bool removes = false; // from where they are, each when all of it is known to be in the other place
};

// Called before each thread (`checkpoints` 0) and as its checkpoints are written: how many threads are done,
// of how many, which is carried and how many of its checkpoints were written.
struct ThreadProgress {
    std::int64_t done = 0;
    std::int64_t all = 0;
    ThreadId thread;
    std::int64_t checkpoints = 0;
};
using TellThread = std::function<void(const ThreadProgress&)>;

// Carries threads, each under the locks of both places. One that cannot be carried does not keep the others.
// Errc::NotFound: there is no such thread; Cancelled: `stop` was requested, and what was carried by then
// stays; others, with the same meaning, when a place cannot be used any more.
Result<ThreadMove> moveThreads(const ThreadPlace& from, const ThreadPlace& to, const ThreadChoice& choice,
                               const TellThread& progress, const std::stop_token& stop);

// Carries one thread for a caller that keeps runs from it in both places. It fails only when a place cannot
// be used any more; else `error` tells why the thread was not carried.
Result<MovedThread> copyThread(const ThreadPlace& from, const ThreadPlace& to, const ThreadId& thread,
                               const std::function<void(std::int64_t checkpoints)>& progress,
                               const std::stop_token& stop);

} // namespace sg::upkeep
