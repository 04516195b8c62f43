#pragma once

#include <QHash>
#include <QString>

#include <cstdint>
#include <utility>
#include <vector>

namespace sg::ui {

// Ids of checkpoints or tasks by their number, and back. Those that are written as UUIDs take 16 bytes and a
// slot of the index; a million of them about 30 MB.
class IdStore {
public:
    static constexpr int kNone = -1;

    void reserve(std::size_t count);
    int add(const QString& id); // must not be there yet; its number, from 0 on
    [[nodiscard]] QString at(int number) const;
    [[nodiscard]] int find(const QString& id) const; // kNone: unknown
    [[nodiscard]] std::size_t size() const { return m_ids.size(); }

private:
    struct Packed {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        friend bool operator==(const Packed&, const Packed&) = default;
    };
    static bool pack(const QString& id, Packed& packed);
    static std::size_t slotOf(const Packed& packed, std::size_t slots);
    void grow(std::size_t slots);

    std::vector<Packed> m_ids;
    std::vector<std::int32_t> m_slots; // numbers by hash, a power of two; kNone: free
    QHash<QString, int> m_others; // that are no UUIDs
    QHash<int, QString> m_otherNames;
};

// Words that come again and again, each kept once.
class WordStore {
public:
    int add(const QString& word)
    {
        const auto known = m_numbers.constFind(word);
        if (known != m_numbers.constEnd())
            return *known;
        const int number = static_cast<int>(m_words.size());
        m_words.push_back(word);
        m_numbers.insert(word, number);
        return number;
    }
    [[nodiscard]] const QString& at(int number) const { return m_words[static_cast<std::size_t>(number)]; }

private:
    std::vector<QString> m_words;
    QHash<QString, int> m_numbers;
};

} // namespace sg::ui
