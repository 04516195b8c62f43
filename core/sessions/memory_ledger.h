#pragma once

#include "core/base/child_process.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sg::sessions {

// What all programs of one user give their sessions of this machine's memory, in a file that they share. Each
// MiB is a byte of that file, and given away while somebody holds a lock on it: the kernel takes the locks
// back from who ends, however it ends. Any thread.
class MemoryLedger {
public:
    MemoryLedger(std::filesystem::path file, std::int64_t totalBytes);

    // Given back when it is destroyed.
    class Share {
    public:
        Share() = default;

    private:
        friend class MemoryLedger;
        explicit Share(Fd locks)
            : m_locks(std::move(locks))
        {
        }
        Fd m_locks;
    };

    // Without waiting; nothing where there is less. Where the file cannot be used, nobody is counted.
    [[nodiscard]] std::optional<Share> take(std::int64_t bytes) const;
    [[nodiscard]] std::int64_t givenAway() const;
    [[nodiscard]] bool hasRoom(std::int64_t bytes) const { return givenAway() + bytes <= m_total; }
    // Says to the other programs that somebody waits, until it is destroyed.
    [[nodiscard]] Share wait() const;
    [[nodiscard]] bool isAnyWaiting() const;

private:
    struct Range {
        std::int64_t start = 0;
        std::int64_t end = 0;
    };
    [[nodiscard]] Fd open() const;
    static void look(const Fd& file, Range range, std::vector<Range>& free, std::vector<Range>& taken);

    const std::filesystem::path m_file;
    const std::int64_t m_total; // bytes
};

// Of this machine, in whole GiB: what firmware and kernel keep for themselves is part of what people call 16
// GiB.
std::int64_t memoryOfMachine();
std::int64_t wholeGiB(std::int64_t bytes); // rounded up

} // namespace sg::sessions
