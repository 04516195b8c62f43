#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::exchange {

// Something that looks like a secret. What it is stands here only in part: "sk-p…(51)".
struct SecretFinding {
    std::string kind; // "an API key", "a private key", …
    std::string where; // the file of the bundle
    std::string masked;
};

// Looks for what looks like a secret: in text that comes in pieces, as it may stand in a file of any kind,
// and in values. Bounded: at most 100 findings.
class SecretScan {
public:
    void begin(std::string where); // another file
    void feed(std::string_view bytes);
    void end(); // of that file
    // Its texts, what its maps have under names such as "password", and the same in bytes that are
    // MessagePack; other bytes as text. Between begin() and end(), beside feed().
    void feedValue(const Value& value) { feedValue(value, 0); }
    [[nodiscard]] const std::vector<SecretFinding>& findings() const { return m_findings; }

private:
    void look(std::string_view text, std::size_t from, std::size_t stop);
    void feedValue(const Value& value, int depth);
    void feedBytes(std::string_view bytes, int depth);
    void note(std::string kind, std::string_view secret);

    std::string m_where;
    std::string m_rest; // the end of what came before: a secret may lie across two pieces
    std::vector<SecretFinding> m_findings;
};

} // namespace sg::exchange
