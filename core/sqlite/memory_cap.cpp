#include "core/sqlite/memory_cap.h"

#include <sqlite3.h>

#include <cstdint>
#include <limits>

namespace sg::sqlite {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

thread_local std::int64_t left = kNone; // bytes
sqlite3_mem_methods plain; // SQLite's own; constant once SQLite is in use
bool isInstalled = false; // constant once SQLite is in use

void* take(int size)
{
    if (left == kNone)
        return plain.xMalloc(size);
    if (size > left)
        return nullptr;
    void* const piece = plain.xMalloc(size);
    if (piece != nullptr)
        left -= plain.xSize(piece);
    return piece;
}

void giveBack(void* piece)
{
    if (left != kNone)
        left += plain.xSize(piece);
    plain.xFree(piece);
}

void* takeMore(void* piece, int size)
{
    if (left == kNone)
        return plain.xRealloc(piece, size);
    const int before = plain.xSize(piece);
    if (size - before > left)
        return nullptr;
    void* const moved = plain.xRealloc(piece, size);
    if (moved != nullptr)
        left -= plain.xSize(moved) - before;
    return moved;
}

} // namespace

bool MemoryCap::install()
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK)
        return false;
    sqlite3_mem_methods counted = plain;
    counted.xMalloc = take;
    counted.xFree = giveBack;
    counted.xRealloc = takeMore;
    isInstalled = sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) == SQLITE_OK;
    return isInstalled;
}

bool MemoryCap::holds()
{
    return isInstalled;
}

MemoryCap::MemoryCap(std::size_t bytes)
{
    left = static_cast<std::int64_t>(bytes);
}

MemoryCap::~MemoryCap()
{
    left = kNone;
}

} // namespace sg::sqlite
