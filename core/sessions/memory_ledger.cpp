#include "core/sessions/memory_ledger.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::int64_t kLedgerUnit = 1 << 20;
constexpr std::int64_t kWaitingByte = std::int64_t{ 1 } << 40; // locked by who waits; lies beyond all memory

struct flock rangeOf(short type, std::int64_t start, std::int64_t count)
{
    struct flock range { };
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = start;
    range.l_len = count;
    return range;
}

std::int64_t unitsOf(std::int64_t bytes)
{
    return (std::max<std::int64_t>(bytes, 0) + kLedgerUnit - 1) / kLedgerUnit;
}

} // namespace

MemoryLedger::MemoryLedger(std::filesystem::path file, std::int64_t totalBytes)
    : m_file(std::move(file))
    , m_total(totalBytes)
{
}

// Opens the file anew each time: locks of one open file description do not conflict with each other.
Fd MemoryLedger::open() const
{
    return Fd(::open(m_file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
}

// F_OFD_GETLK reports one conflicting lock of a range, not necessarily the first, so the rest is searched
// again.
void MemoryLedger::look(const Fd& file, Range range, std::vector<Range>& free, std::vector<Range>& taken)
{
    std::vector<Range> open{ range };
    while (!open.empty()) {
        const Range each = open.back();
        open.pop_back();
        if (each.start >= each.end)
            continue;
        struct flock found = rangeOf(F_WRLCK, each.start, each.end - each.start);
        if (::fcntl(file.get(), F_OFD_GETLK, &found) != 0)
            return;
        if (found.l_type == F_UNLCK) {
            free.push_back(each);
            continue;
        }
        const Range held{ std::max<std::int64_t>(found.l_start, each.start),
                          found.l_len == 0 ? each.end
                                           : std::min<std::int64_t>(found.l_start + found.l_len, each.end) };
        taken.push_back(held);
        open.push_back({ each.start, held.start });
        open.push_back({ held.end, each.end });
    }
}

std::optional<MemoryLedger::Share> MemoryLedger::take(std::int64_t bytes) const
{
    Fd file = open();
    if (!file.isOpen())
        return Share();
    std::vector<Range> free;
    std::vector<Range> taken;
    look(file, { 0, m_total / kLedgerUnit }, free, taken);
    std::int64_t left = unitsOf(bytes);
    for (const Range& each : free) {
        const std::int64_t count = std::min(left, each.end - each.start);
        struct flock range = rangeOf(F_WRLCK, each.start, count);
        if (count > 0 && ::fcntl(file.get(), F_OFD_SETLK, &range) == 0) // else another program was faster
            left -= count;
    }
    return left > 0 ? std::nullopt : std::optional(Share(std::move(file)));
}

std::int64_t MemoryLedger::givenAway() const
{
    const Fd file = open();
    std::vector<Range> free;
    std::vector<Range> taken;
    if (file.isOpen())
        look(file, { 0, m_total / kLedgerUnit }, free, taken);
    std::int64_t units = 0;
    for (const Range& each : taken)
        units += each.end - each.start;
    return units * kLedgerUnit;
}

MemoryLedger::Share MemoryLedger::wait() const
{
    Fd file = open();
    struct flock mark = rangeOf(F_RDLCK, kWaitingByte, 1);
    if (file.isOpen())
        static_cast<void>(::fcntl(file.get(), F_OFD_SETLK, &mark));
    return Share(std::move(file));
}

bool MemoryLedger::isAnyWaiting() const
{
    const Fd file = open();
    struct flock mark = rangeOf(F_WRLCK, kWaitingByte, 1);
    return file.isOpen() && ::fcntl(file.get(), F_OFD_GETLK, &mark) == 0 && mark.l_type != F_UNLCK;
}

std::int64_t wholeGiB(std::int64_t bytes)
{
    constexpr std::int64_t kGiB = 1 << 30;
    return (bytes + kGiB - 1) / kGiB * kGiB;
}

std::int64_t memoryOfMachine()
{
    return wholeGiB(std::int64_t{ ::sysconf(_SC_PHYS_PAGES) } * ::sysconf(_SC_PAGESIZE));
}

} // namespace sg::sessions
