#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::exchange {

// A text that looks like a secret, with only a part of it shown: "sk-p…(51)".
struct SecretFinding {
    std::string kind; // "an API key", "a private key", …
    std::string where; // the file of the bundle
    std::string masked;
};

// Looks for secrets in pieces of text, from files of any kind, and in values. It keeps at most 100 findings.
class SecretScan {
public:
    void begin(std::string where); // begins another file
    void feed(std::string_view bytes);
    void end(); // of that file
    // Scans the value's texts, values of map keys such as "password", and the same in bytes that are
    // MessagePack; other bytes count as text. Called between begin() and end(), and may alternate with
    // feed().
    void feedValue(const Value& value) { feedValue(value, 0); }
    [[nodiscard]] const std::vector<SecretFinding>& findings() const { return m_findings; }

private:
    void look(std::string_view text, std::size_t from, std::size_t stop);
    void feedValue(const Value& value, int depth);
    void feedBytes(std::string_view bytes, int depth);
    void note(std::string kind, std::string_view secret);

    std::string m_where;
    std::string m_rest; // the end of the last piece: a secret may span two
    std::vector<SecretFinding> m_findings;
};

} // namespace sg::exchange
