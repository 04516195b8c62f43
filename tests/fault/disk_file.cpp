#include "tests/fault/unreliable_disk.h"

#include <algorithm>

namespace sg::fault {
namespace {

constexpr std::size_t kSector = 512;
using Change = DiskFile::Change;

// Returns how much of what was not synced arrives, in percent; one for a whole file.
int share(std::mt19937_64& random)
{
    const int shares[] = { 0, 10, 50, 90, 100 };
    return shares[random() % 5];
}

void put(std::string& content, std::size_t at, std::string_view bytes)
{
    if (content.size() < at + bytes.size())
        content.resize(at + bytes.size(), '\0');
    std::ranges::copy(bytes, content.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string garbage(std::size_t size, std::mt19937_64& random)
{
    std::string bytes(size, '\0');
    std::ranges::generate(bytes, [&random] { return static_cast<char>(random()); });
    return bytes;
}

void putSectors(std::string& content, const Change& change, int percent, bool isNewest,
                std::mt19937_64& random)
{
    const auto start = static_cast<std::size_t>(change.offset);
    const std::size_t end = start + change.bytes.size();
    for (std::size_t at = start; at < end;) {
        const std::size_t next = std::min(end, (at / kSector + 1) * kSector);
        const std::string_view sector = std::string_view(change.bytes).substr(at - start, next - at);
        if (isNewest && random() % 8 == 0)
            put(content, at, garbage(sector.size(), random));
        else if (static_cast<int>(random() % 100) < percent)
            put(content, at, sector);
        at = next;
    }
}

} // namespace

void DiskFile::sync()
{
    std::string bytes = synced.value_or(std::string());
    for (const Change& change : changes) {
        switch (change.kind) {
        case Change::Kind::Write: put(bytes, static_cast<std::size_t>(change.offset), change.bytes); break;
        case Change::Kind::Truncate: bytes.resize(static_cast<std::size_t>(change.offset), '\0'); break;
        case Change::Kind::Remove: bytes.clear(); break;
        }
    }
    synced = std::move(bytes);
    changes.clear();
}

void DiskFile::syncRemoval()
{
    const auto last = std::find_if(changes.rbegin(), changes.rend(),
                                   [](const Change& each) { return each.kind == Change::Kind::Remove; });
    if (last == changes.rend())
        return;
    changes.erase(changes.begin(), last.base());
    synced.reset();
}

std::optional<std::string> DiskFile::afterPowerCut(std::mt19937_64& random) const
{
    auto first = changes.begin();
    std::optional<std::string> content = synced;
    // A file that was deleted is still there, or gone; what came after belongs to another one of its name.
    for (auto at = changes.begin(); at != changes.end(); ++at) {
        if (at->kind != Change::Kind::Remove)
            continue;
        if (random() % 2 == 0)
            return content;
        content.reset();
        first = at + 1;
    }
    const int percent = share(random);
    const bool inOrder = random() % 4 == 0; // all up to some moment, nothing after it
    const auto count = changes.end() - first;
    const auto last = inOrder && count > 0
        ? first + static_cast<std::ptrdiff_t>(random() % (static_cast<std::uint64_t>(count) + 1))
        : changes.end();
    std::string bytes = content.value_or(std::string());
    for (auto at = first; at != last; ++at) {
        if (at->kind == Change::Kind::Truncate) {
            if (inOrder || static_cast<int>(random() % 100) < percent)
                bytes.resize(static_cast<std::size_t>(at->offset), '\0');
        } else if (inOrder) {
            put(bytes, static_cast<std::size_t>(at->offset), at->bytes);
        } else {
            putSectors(bytes, *at, percent, at + 1 == changes.end(), random);
        }
    }
    if (!content && bytes.empty() && random() % 2 == 0)
        return std::nullopt;
    return bytes;
}

} // namespace sg::fault
