#pragma once

#include <cstddef>

namespace sg::sqlite {

// Limits the bytes that SQLite may allocate for this thread while the object lives; beyond them SQLite
// reports that it is out of memory. SQLite's own limit counts the whole process and needs its lock for each
// allocation. A thread has one cap at a time, and memory allocated under it is freed under it.
class MemoryCap {
public:
    explicit MemoryCap(std::size_t bytes);
    ~MemoryCap();
    MemoryCap(const MemoryCap&) = delete;
    MemoryCap& operator=(const MemoryCap&) = delete;

    // Called once before SQLite is first used. False: SQLite was in use already, and no cap works.
    static bool install();
    static bool holds();
};

} // namespace sg::sqlite
