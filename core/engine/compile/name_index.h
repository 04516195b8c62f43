#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sg::engine {

// Names → places. The names are not copied: whoever owns them keeps them where they are. Written by one
// thread, then read by any.
class NameIndex {
public:
    void reserve(std::size_t names);
    // Of a name that is there already the first place stays.
    void add(std::string_view name, std::int32_t place);
    [[nodiscard]] std::optional<std::int32_t> find(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return find(name).has_value(); }

private:
    struct Entry {
        std::string_view name;
        std::int32_t place = -1; // empty
        std::uint32_t hash = 0; // most names that differ are told apart by it
    };
    [[nodiscard]] std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
    void grow(std::size_t size);

    std::vector<Entry> m_slots; // open addressing, at most half full
    std::size_t m_count = 0;
};

} // namespace sg::engine
