#include "app/cli/commands/storage/storage_threads.h"

#include "app/cli/project_option.h"
#include "app/cli/shell_word.h"

#include <algorithm>
#include <chrono>

namespace sg::cli {
namespace {

std::int64_t removedOf(const upkeep::ThreadMove& move)
{
    return std::ranges::count_if(move.threads, &upkeep::MovedThread::isRemoved);
}

} // namespace

void ThreadsOption::add(Verb verb)
{
    verb.option("--db", database,
                "postgresql://HOST/DATABASE: carry the project's threads there, or with --back from there");
    verb.flag("--back", back, "from the database of --db into the project's own file");
    verb.option("--thread", thread, "this thread alone (default: all)");
    verb.flag("--remove", removes,
              "remove each thread from where it was, once all of it is in the other place");
}

Result<void> ThreadsOption::check() const
{
    if (!isGiven() && (back || removes || !thread.empty()))
        return Error{ Errc::InvalidArgument,
                      "--back, --thread and --remove are about threads: name the database with --db "
                      "postgresql://HOST/DATABASE" };
    if (!thread.empty())
        if (const auto checked = threadArgument(thread); !checked)
            return checked.error();
    return {};
}

Result<upkeep::ProjectThreads> ThreadsOption::move(const projects::ProjectPaths& project, const Output& out,
                                                   const std::stop_token& stop) const
{
    upkeep::ThreadChoice choice;
    choice.removes = removes;
    if (!thread.empty())
        choice.thread = ThreadId(thread);
    auto told = std::chrono::steady_clock::now();
    return upkeep::moveProjectThreads(
        project, database, back ? upkeep::ThreadsWay::ToFile : upkeep::ThreadsWay::ToServer, choice,
        [&](const upkeep::ThreadProgress& now) {
            const auto time = std::chrono::steady_clock::now();
            if (time - told < std::chrono::seconds(5))
                return;
            told = time;
            out.note(std::to_string(now.done) + " of " + counted(now.all, "thread") + " done; "
                     + now.thread.value + ": " + counted(now.checkpoints, "checkpoint") + " written");
        },
        stop);
}

int ThreadsOption::tell(const upkeep::ProjectThreads& moved, const Output& out) const
{
    const upkeep::ThreadMove& move = moved.move;
    for (const upkeep::MovedThread& each : move.threads)
        if (!each.error.empty())
            out.note("not carried: " + each.thread.value + ": " + each.error);
    out.text(counted(std::ssize(move.threads), "thread") + " of " + moved.from + ": "
             + std::to_string(move.count(upkeep::ThreadFate::Carried)) + " carried to " + moved.to + ", "
             + std::to_string(move.count(upkeep::ThreadFate::There)) + " were there, "
             + std::to_string(move.left()) + " left; " + std::to_string(removedOf(move))
             + " removed from where they were");
    if (move.left() > 0) {
        out.note("error: the threads that are left stay in " + moved.from
                 + "; the same command goes on with them");
        return Failed;
    }
    if (!move.threads.empty())
        out.text(back ? "from now on they are used without --db"
                      : "from now on they are used with --db " + shellWord(moved.to));
    return Done;
}

Value threadsDocument(const upkeep::ProjectThreads& moved)
{
    ValueList threads;
    for (const upkeep::MovedThread& each : moved.move.threads)
        threads.push_back(Value::map({ { "thread_id", each.thread.value },
                                       { "fate", each.fate.text() },
                                       { "checkpoints", each.checkpoints },
                                       { "writes", each.writes },
                                       { "removed", each.isRemoved },
                                       { "error", each.error.empty() ? Value() : Value(each.error) } }));
    return Value::map({ { "from", moved.from },
                        { "to", moved.to },
                        { "threads", std::move(threads) },
                        { "carried", moved.move.count(upkeep::ThreadFate::Carried) },
                        { "there", moved.move.count(upkeep::ThreadFate::There) },
                        { "left", moved.move.left() },
                        { "removed", removedOf(moved.move) } });
}

} // namespace sg::cli
