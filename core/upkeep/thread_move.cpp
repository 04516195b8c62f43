#include "core/upkeep/thread_move.h"

#include "core/checkpoint/own_rows.h"
#include "core/checkpoint/thread_lock.h"
#include "core/upkeep/thread_print.h"

#include <algorithm>

namespace sg::upkeep {
namespace {

using checkpoint::CheckpointRecord;
using checkpoint::NewerRows;
using checkpoint::ThreadLock;

constexpr std::int64_t kSentAtOnce = 64; // checkpoints that a store on a server collects before it sends them

// Tells whether an error is one thread's: others can be carried all the same.
bool isOfOneThread(const Error& error)
{
    switch (error.code) {
    case Errc::Corrupt:
    case Errc::Unsupported:
    case Errc::InvalidArgument:
    case Errc::LimitExceeded:
    case Errc::Conflict: return true;
    case Errc::NotFound:
    case Errc::Exists:
    case Errc::Unavailable:
    case Errc::Busy:
    case Errc::Timeout:
    case Errc::Cancelled:
    case Errc::PermissionDenied:
    case Errc::NoSpace:
    case Errc::Io: return false;
    }
    return false;
}

class ThreadCarrier {
public:
    ThreadCarrier(const ThreadPlace& from, const ThreadPlace& to, const ThreadId& thread,
                  const std::function<void(std::int64_t)>& progress, const std::stop_token& stop)
        : m_from(from)
        , m_to(to)
        , m_thread(thread)
        , m_progress(progress)
        , m_stop(stop)
    {
    }

    Result<void> carry(MovedThread& moved)
    {
        auto here = printOf(m_from.store, m_thread, m_stop);
        if (!here)
            return std::move(here.error());
        moved.checkpoints = std::ssize(here->rows);
        moved.writes = here->writes();
        const auto there = printOf(m_to.store, m_thread, m_stop);
        if (!there)
            return there.error();
        if (here->isPartOf(*there)) {
            moved.fate = ThreadFate::There;
            return copyOwn(*here == *there ? NewerRows::From : NewerRows::To);
        }
        if (!there->isPartOf(*here)) {
            moved.fate = ThreadFate::Different;
            moved.error = m_to.name + " has a thread " + m_thread.value
                + " with other contents. Nothing was changed; carry it under another name: sandglass bundle "
                  "export --thread "
                + m_thread.value + ", then sandglass bundle import --as NAME";
            return {};
        }
        // The records beside come first: without its checkpoints nobody sees a thread.
        if (auto own = copyOwn(NewerRows::From); !own)
            return own;
        if (auto carried = m_to.store.together([&] { return write(*here, *there); }); !carried)
            return carried;
        moved.fate = ThreadFate::Carried;
        return {};
    }

private:
    Result<void> copyOwn(NewerRows newer)
    {
        const auto copied = checkpoint::copyOwnRows(m_from.file, m_to.file, m_thread, newer);
        return copied ? Result<void>() : Result<void>(copied.error());
    }

    // The work of one transaction, which ends by reading all that was written.
    Result<void> write(const ThreadPrint& here, const ThreadPrint& before)
    {
        std::int64_t written = 0;
        const auto put = [&](const CheckpointRecord& record) -> Result<void> {
            const std::pair place(record.ref.ns, record.ref.id.value);
            const auto known = before.rows.find(place);
            const auto wanted = here.rows.find(place);
            if (known != before.rows.end() && wanted != here.rows.end() && known->second == wanted->second)
                return {};
            if (auto done = m_to.store.putRecord(record); !done)
                return done;
            if (++written % kSentAtOnce != 0)
                return {};
            if (m_progress)
                m_progress(written);
            // A store that collects what it is to send sends it before it reads.
            const auto sent = m_to.store.get(m_thread, {}, CheckpointId("-"));
            return sent ? Result<void>() : Result<void>(sent.error());
        };
        const auto read = printOf(m_from.store, m_thread, m_stop, put);
        if (!read)
            return read.error();
        if (*read != here)
            return Error{ Errc::Conflict,
                          "another program changed thread " + m_thread.value + " of " + m_from.name
                              + " meanwhile; carry it over again when that has ended" };
        const auto arrived = printOf(m_to.store, m_thread, m_stop);
        if (!arrived)
            return arrived.error();
        if (*arrived != here)
            return Error{ Errc::Unsupported,
                          "thread " + m_thread.value + " would not be the same in " + m_to.name
                              + ", whose layout does not hold something of " + differing(here, *arrived)
                              + "; it stays where it is" };
        return {};
    }

    // Names the first checkpoint that did not arrive as it was.
    static std::string differing(const ThreadPrint& here, const ThreadPrint& arrived)
    {
        for (const auto& [place, row] : here.rows) {
            const auto theirs = arrived.rows.find(place);
            if (theirs == arrived.rows.end() || theirs->second != row)
                return "checkpoint " + place.second
                    + (place.first.empty() ? "" : " (namespace " + place.first + ")");
        }
        return "what was there before";
    }

    const ThreadPlace& m_from;
    const ThreadPlace& m_to;
    const ThreadId& m_thread;
    const std::function<void(std::int64_t)>& m_progress;
    const std::stop_token& m_stop;
};

Result<MovedThread> moveOne(const ThreadPlace& from, const ThreadPlace& to, const ThreadId& thread,
                            bool removes, const std::function<void(std::int64_t)>& progress,
                            const std::stop_token& stop)
{
    MovedThread moved;
    moved.thread = thread;
    auto here = ThreadLock::take(from.store, from.file, thread);
    auto there = here ? ThreadLock::take(to.store, to.file, thread) : Result<ThreadLock>(here.error());
    if (!there) {
        if (there.error().code != Errc::Conflict)
            return std::move(there.error());
        moved.fate = ThreadFate::Busy;
        moved.error = there.error().message;
        return moved;
    }
    auto copied = copyThread(from, to, thread, progress, stop);
    if (!copied || !removes || !copied->error.empty())
        return copied;
    if (auto removed = from.store.deleteThread(thread); !removed)
        return std::move(removed.error()).during("thread " + thread.value + " was carried over, not removed");
    copied->isRemoved = true;
    return copied;
}

// Makes a store prepare its database and the file beside it.
Result<void> prepare(const ThreadPlace& place)
{
    return place.store.together([]() -> Result<void> { return {}; });
}

} // namespace

std::int64_t ThreadMove::count(ThreadFate fate) const
{
    return std::ranges::count_if(threads, [&](const MovedThread& each) { return each.fate == fate; });
}

Result<MovedThread> copyThread(const ThreadPlace& from, const ThreadPlace& to, const ThreadId& thread,
                               const std::function<void(std::int64_t)>& progress, const std::stop_token& stop)
{
    for (const ThreadPlace* place : { &from, &to })
        if (auto ready = prepare(*place); !ready)
            return std::move(ready.error());
    MovedThread moved;
    moved.thread = thread;
    if (auto carried = ThreadCarrier(from, to, thread, progress, stop).carry(moved); !carried) {
        if (!isOfOneThread(carried.error()))
            return std::move(carried.error());
        moved.fate = ThreadFate::Failed;
        moved.error = carried.error().message;
    }
    return moved;
}

Result<ThreadMove> moveThreads(const ThreadPlace& from, const ThreadPlace& to, const ThreadChoice& choice,
                               const TellThread& progress, const std::stop_token& stop)
{
    auto known = from.store.threads();
    if (!known)
        return std::move(known.error());
    if (choice.thread)
        std::erase_if(*known,
                      [&](const checkpoint::ThreadSummary& each) { return each.thread != *choice.thread; });
    if (choice.thread && known->empty())
        return Error{ Errc::NotFound, "there is no thread " + choice.thread->value + " in " + from.name };
    ThreadMove move;
    for (const checkpoint::ThreadSummary& summary : *known) {
        ThreadProgress now{ std::ssize(move.threads), std::ssize(*known), summary.thread };
        const auto tell = [&](std::int64_t checkpoints) {
            now.checkpoints = checkpoints;
            if (progress)
                progress(now);
        };
        tell(0);
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "stopped" };
        auto moved = moveOne(from, to, summary.thread, choice.removes, tell, stop);
        if (!moved)
            return std::move(moved.error());
        move.threads.push_back(std::move(*moved));
    }
    return move;
}

} // namespace sg::upkeep
