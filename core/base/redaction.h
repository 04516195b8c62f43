#pragma once

#include "core/base/value.h"

#include <cstddef>
#include <string>
#include <string_view>

// This is the one place that keeps secrets out of all that this process writes, stores or shows: output of
// sandboxes, logs, errors, audit rows, exports. A secret is known from when it was read until the process
// ends.
namespace sg {

class SecretMatcher;

// Shorter ones cannot be told from ordinary text.
inline constexpr std::size_t kShortestSecret = 8;

// From now on every form of it becomes "[secret NAME]", unless it is below kShortestSecret. Any thread.
void keepOut(const std::string& name, const std::string& secret);

// Returns the text without known secrets. Any thread.
std::string withoutSecrets(std::string_view text);
// Also removes what looks like a secret though it was never given to keepOut(): sk-…, ghp_…, AKIA…, JSON web
// tokens, private keys. For logs and errors.
std::string withoutLikelySecrets(std::string_view text);
// Cleans strings, byte strings and keys at any depth. The payload of an Ext keeps its length.
Value valueWithoutSecrets(const Value& value);
[[nodiscard]] bool holdsSecret(std::string_view text);

// Cleans a text that comes in pieces, of which a secret may span several. It has one owner.
class SecretFilter {
public:
    // Returns what is certain by now. Only what may be the beginning of a known secret is held back.
    std::string push(std::string_view piece);
    std::string finish();
    [[nodiscard]] bool hasMet() const { return m_hasMet; } // a secret was found so far

private:
    std::string take(std::string_view text, const SecretMatcher& matcher);
    std::string m_held;
    bool m_hasMet = false;
};

// Tells whether a known secret was in the pieces so far, also across their borders. It has one owner.
class SecretWatch {
public:
    void push(std::string_view piece);
    [[nodiscard]] bool hasMet() const { return m_hasMet; }

private:
    std::string m_tail;
    bool m_hasMet = false;
};

} // namespace sg
