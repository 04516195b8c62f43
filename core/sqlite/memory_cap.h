#pragma once

#include <cstddef>

namespace sg::sqlite {

// While it lives, SQLite gets no more than so many bytes for what this thread does; beyond that it says that
// there is no memory. SQLite's own limit counts the whole process, and only where its lock for each piece is
// on. One at a time in a thread; what is made under it is freed under it.
class MemoryCap {
public:
    explicit MemoryCap(std::size_t bytes);
    ~MemoryCap();
    MemoryCap(const MemoryCap&) = delete;
    MemoryCap& operator=(const MemoryCap&) = delete;

    // Before SQLite is used for the first time, once. False: something else was faster, and no cap holds.
    static bool install();
    static bool holds();
};

} // namespace sg::sqlite
