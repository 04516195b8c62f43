#pragma once

#include "core/base/value.h"

#include <cstddef>
#include <string>
#include <string_view>

// The one place by which secrets are kept out of all that this process writes, stores or shows: what comes
// out of a sandbox, logs, errors, audit rows, exports. A secret is known from when it was read until the
// process ends.
namespace sg {

class SecretMatcher;

// The shortest that can be told from ordinary text.
inline constexpr std::size_t kShortestSecret = 8;

// From now on every form of it becomes "[secret NAME]". Shorter ones are not looked for. Any thread.
void keepOut(const std::string& name, const std::string& secret);

// The text without known secrets. Any thread.
std::string withoutSecrets(std::string_view text);
// The same, and without what looks like a secret though nobody told of it: sk-…, ghp_…, AKIA…, JSON web
// tokens, private keys. For logs and errors.
std::string withoutLikelySecrets(std::string_view text);
// Strings, byte strings and keys at any depth. What lies in an Ext keeps its length.
Value valueWithoutSecrets(const Value& value);
[[nodiscard]] bool holdsSecret(std::string_view text);

// A text that comes in pieces: a secret may lie across them. One owner.
class SecretFilter {
public:
    // What is certain by now. Held back is only what a known secret may begin with.
    std::string push(std::string_view piece);
    std::string finish();
    [[nodiscard]] bool hasMet() const { return m_hasMet; } // one so far

private:
    std::string take(std::string_view text, const SecretMatcher& matcher);
    std::string m_held;
    bool m_hasMet = false;
};

// Whether a known secret was in what went by, also across pieces. One owner.
class SecretWatch {
public:
    void push(std::string_view piece);
    [[nodiscard]] bool hasMet() const { return m_hasMet; }

private:
    std::string m_tail;
    bool m_hasMet = false;
};

} // namespace sg
