#include "ui/selection/id_store.h"

#include <bit>

namespace sg::ui {

namespace {

constexpr int kUuidLength = 36;

bool isDash(int place)
{
    return place == 8 || place == 13 || place == 18 || place == 23;
}

int digit(QChar c)
{
    const char16_t u = c.unicode();
    if (u >= '0' && u <= '9')
        return u - '0';
    return u >= 'a' && u <= 'f' ? u - 'a' + 10 : -1; // capitals would not come back as they were
}

} // namespace

bool IdStore::pack(const QString& id, Packed& packed)
{
    if (id.size() != kUuidLength)
        return false;
    int digits = 0;
    for (int i = 0; i < kUuidLength; ++i) {
        if (isDash(i)) {
            if (id[i] != QLatin1Char('-'))
                return false;
            continue;
        }
        const int value = digit(id[i]);
        if (value < 0)
            return false;
        std::uint64_t& half = digits < 16 ? packed.high : packed.low;
        half = half << 4 | static_cast<std::uint64_t>(value);
        ++digits;
    }
    return true;
}

std::size_t IdStore::slotOf(const Packed& packed, std::size_t slots)
{
    std::uint64_t mixed = packed.high ^ std::rotl(packed.low, 29);
    mixed *= 0x9E3779B97F4A7C15ULL; // ids by time differ in few bits
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>(mixed) & (slots - 1);
}

void IdStore::grow(std::size_t slots)
{
    m_slots.assign(slots, kNone);
    for (std::size_t i = 0; i < m_ids.size(); ++i) {
        if (m_otherNames.contains(static_cast<int>(i)))
            continue;
        std::size_t slot = slotOf(m_ids[i], slots);
        while (m_slots[slot] != kNone)
            slot = (slot + 1) & (slots - 1);
        m_slots[slot] = static_cast<std::int32_t>(i);
    }
}

void IdStore::reserve(std::size_t count)
{
    m_ids.reserve(count);
    const std::size_t slots = std::bit_ceil(count + count / 2 + 16);
    if (slots > m_slots.size())
        grow(slots);
}

int IdStore::add(const QString& id)
{
    const int number = static_cast<int>(m_ids.size());
    Packed packed;
    if (!pack(id, packed)) {
        m_ids.push_back({});
        m_others.insert(id, number);
        m_otherNames.insert(number, id);
        return number;
    }
    if ((m_ids.size() + 1) * 4 > m_slots.size() * 3)
        grow(std::bit_ceil((m_ids.size() + 1) * 2 + 16));
    m_ids.push_back(packed);
    std::size_t slot = slotOf(packed, m_slots.size());
    while (m_slots[slot] != kNone)
        slot = (slot + 1) & (m_slots.size() - 1);
    m_slots[slot] = number;
    return number;
}

QString IdStore::at(int number) const
{
    if (const auto other = m_otherNames.constFind(number); other != m_otherNames.constEnd())
        return *other;
    const Packed& packed = m_ids[static_cast<std::size_t>(number)];
    QString id(kUuidLength, QLatin1Char('-'));
    int digits = 0;
    for (int i = 0; i < kUuidLength; ++i) {
        if (isDash(i))
            continue;
        const std::uint64_t half = digits < 16 ? packed.high : packed.low;
        const auto value = static_cast<unsigned>(half >> (60 - 4 * (digits % 16)) & 0xF);
        id[i] = QLatin1Char("0123456789abcdef"[value]);
        ++digits;
    }
    return id;
}

int IdStore::find(const QString& id) const
{
    Packed packed;
    if (!pack(id, packed))
        return m_others.value(id, kNone);
    if (m_slots.empty())
        return kNone;
    std::size_t slot = slotOf(packed, m_slots.size());
    while (m_slots[slot] != kNone) {
        if (m_ids[static_cast<std::size_t>(m_slots[slot])] == packed)
            return m_slots[slot];
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    return kNone;
}

} // namespace sg::ui
