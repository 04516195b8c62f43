#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sg::engine {

// Maps names to places. The names are not copied: their owner must keep them where they are. One thread
// writes the index; then any thread may read it.
class NameIndex {
public:
    void reserve(std::size_t names);
    // A name that is added again keeps its first place.
    void add(std::string_view name, std::int32_t place);
    [[nodiscard]] std::optional<std::int32_t> find(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return find(name).has_value(); }

private:
    struct Entry {
        std::string_view name;
        std::int32_t place = -1; // -1: the entry is empty
        std::uint32_t hash = 0; // it tells most different names apart
    };
    [[nodiscard]] std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
    void grow(std::size_t size);

    std::vector<Entry> m_slots; // open addressing, at most half full
    std::size_t m_count = 0;
};

} // namespace sg::engine
