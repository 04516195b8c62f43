#pragma once

#include "core/base/child_process.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sg::sessions {

// MemoryLedger counts the memory that all programs of one user give their sessions, in a file that they
// share. Each byte of the file stands for a MiB, which is taken while somebody holds a lock on it: the kernel
// releases the locks of a process, however that ends. Any thread.
class MemoryLedger {
public:
    MemoryLedger(std::filesystem::path file, std::int64_t totalBytes);

    // The share ends when this object is destroyed.
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

    // Does not wait; nullopt where less is free. Where the file cannot be used, nothing is counted.
    [[nodiscard]] std::optional<Share> take(std::int64_t bytes) const;
    [[nodiscard]] std::int64_t givenAway() const;
    [[nodiscard]] bool hasRoom(std::int64_t bytes) const { return givenAway() + bytes <= m_total; }
    // Tells the other programs that somebody waits, until the result is destroyed.
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

// The memory of this machine, rounded up to whole GiB: firmware and kernel keep a part of what people call 16
// GiB.
std::int64_t memoryOfMachine();
std::int64_t wholeGiB(std::int64_t bytes); // rounded up

} // namespace sg::sessions
