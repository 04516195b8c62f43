#pragma once

// Random changes of known inputs: what a fuzzer without coverage can do.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sg::test {

class Mutation {
public:
    // `inputs` must outlive it and hold at least one.
    Mutation(const std::vector<std::string>& inputs, std::uint64_t seed)
        : m_inputs(inputs)
        , m_random(seed)
    {
    }

    // Valid until the next call.
    const std::string& next()
    {
        m_input = any();
        for (std::size_t left = 1 + below(4); left > 0; --left)
            change();
        if (m_input.size() > kLongest)
            m_input.resize(kLongest);
        return m_input;
    }

private:
    static constexpr std::size_t kLongest = 16384;

    const std::string& any() { return m_inputs[below(m_inputs.size())]; }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : m_random() % count; }

    void change()
    {
        // Lengths and limits that codecs get wrong.
        static constexpr char kText[] = "\x00\x01\x7f\x80\xc7\xc9\xdb\xdd\xdf\xfe\xff{}[]\",:0-e.\\";
        static constexpr std::string_view kBytes(kText, sizeof kText - 1);
        const std::size_t at = below(m_input.size() + 1);
        switch (below(7)) {
        case 0: // another bit
            if (at < m_input.size())
                m_input[at] = static_cast<char>(m_input[at] ^ (1 << below(8)));
            return;
        case 1: // a byte that means something
            if (at < m_input.size())
                m_input[at] = kBytes[below(kBytes.size())];
            return;
        case 2: m_input.insert(at, 1 + below(4), kBytes[below(kBytes.size())]); return;
        case 3: // the end is missing
            m_input.resize(at);
            return;
        case 4: m_input.erase(at, 1 + below(16)); return;
        case 5: // something of its own twice
            m_input.insert(at, m_input.substr(below(m_input.size() + 1), 1 + below(64)));
            return;
        default: { // something of another
            const std::string& other = any();
            m_input.insert(at, other, below(other.size() + 1), 1 + below(128));
        }
        }
    }

    const std::vector<std::string>& m_inputs;
    std::mt19937_64 m_random;
    std::string m_input;
};

} // namespace sg::test
