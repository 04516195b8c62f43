#include "core/base/redaction.h"

#include "core/base/secret_forms.h"
#include "core/base/secret_matcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sg {
namespace {

struct Known {
    std::mutex mutex;
    // Guarded by mutex:
    std::map<std::string, std::string, std::less<>> forms; // form → label
    std::vector<std::unique_ptr<const SecretMatcher>>
        matchers; // older ones may be in use: there is one for each secret
    // Points to the newest matcher; null: no secret is known.
    std::atomic<const SecretMatcher*> matcher = nullptr;
};

Known& known()
{
    static Known* const all = new Known; // never destroyed: messages at the process's end are cleaned, too
    return *all;
}

const SecretMatcher* currentMatcher()
{
    return known().matcher.load(std::memory_order_acquire);
}

struct Likely {
    std::string_view start;
    std::size_t least; // least number of characters that must follow
    std::string_view more; // characters allowed besides letters and digits
};
constexpr std::array kLikely{
    Likely{ "sk-", 20, "-_" },  Likely{ "ghp_", 30, "" },         Likely{ "gho_", 30, "" },
    Likely{ "ghs_", 30, "" },   Likely{ "github_pat_", 30, "_" }, Likely{ "AKIA", 16, "" },
    Likely{ "xoxb-", 20, "-" }, Likely{ "eyJ", 30, "-_." },
};
constexpr std::string_view kKeyBegin = "-----BEGIN ";
constexpr std::string_view kKeyEnd = "-----END ";
constexpr const char* kLikelyLabel = "[redacted]";

std::size_t tokenLength(std::string_view text, std::string_view more)
{
    const auto end = std::ranges::find_if_not(text, [&](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return (byte < 128 && std::isalnum(byte) != 0) || more.find(each) != std::string_view::npos;
    });
    return static_cast<std::size_t>(end - text.begin());
}

void maskTokens(std::string& text, const Likely& kind)
{
    for (std::size_t at = text.find(kind.start); at != std::string::npos; at = text.find(kind.start, at)) {
        const std::size_t body = at + kind.start.size();
        const std::size_t length = tokenLength(std::string_view(text).substr(body), kind.more);
        const bool isInWord = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
        if (length < kind.least || isInWord) {
            at = body + length;
            continue;
        }
        text.replace(at, kind.start.size() + length, kLikelyLabel);
        at += std::string_view(kLikelyLabel).size();
    }
}

void maskPrivateKeys(std::string& text)
{
    for (std::size_t at = text.find(kKeyBegin); at != std::string::npos; at = text.find(kKeyBegin, at + 1)) {
        const std::size_t line = text.find("-----", at + kKeyBegin.size());
        if (line == std::string::npos || text.substr(at, line - at).find("PRIVATE KEY") == std::string::npos)
            continue;
        const std::size_t end = text.find(kKeyEnd, line);
        const std::size_t close = end == std::string::npos ? end : text.find("-----", end + kKeyEnd.size());
        text.replace(at, close == std::string::npos ? std::string::npos : close + 5 - at, kLikelyLabel);
    }
}

std::string masked(std::string text, const SecretMatcher& matcher)
{
    std::size_t at = 0;
    while (const auto hit = matcher.find(text, at)) {
        std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(hit->begin), hit->length, '*');
        at = hit->begin + hit->length;
    }
    return text;
}

// Returns nullopt if nothing had to be changed.
std::optional<Value> cleaned(const Value& value, const SecretMatcher& matcher)
{
    const auto text = [&](const std::string& bytes) -> std::optional<std::string> {
        if (!matcher.find(bytes, 0))
            return std::nullopt;
        return withoutSecrets(bytes);
    };
    std::optional<Value> result;
    if (value.isString()) {
        if (auto clean = text(value.asString()))
            result = Value(std::move(*clean));
    } else if (value.isBytes()) {
        if (auto clean = text(value.asBytes()))
            result = Value(Bytes{ std::move(*clean) });
    } else if (value.isExt()) {
        if (matcher.find(value.asExt().payload, 0))
            result = Value(Ext{ value.asExt().code, masked(value.asExt().payload, matcher) });
    } else if (value.isList()) {
        for (std::size_t i = 0; i < value.asList().size(); ++i)
            if (auto clean = cleaned(value.asList()[i], matcher)) {
                if (!result)
                    result = value;
                result->editList()[i] = std::move(*clean);
            }
    } else if (value.isMap()) {
        bool isChanged = false;
        ValueMap map;
        for (const auto& [key, item] : value.asMap()) {
            auto cleanKey = cleaned(key, matcher);
            auto cleanItem = cleaned(item, matcher);
            isChanged = isChanged || cleanKey || cleanItem;
            map.set(std::move(cleanKey).value_or(key), std::move(cleanItem).value_or(item));
        }
        if (isChanged)
            result = Value(std::move(map));
    }
    return result;
}

// Tells whether the part looks like random letters and digits, which ordinary text does not contain.
bool looksRandom(std::string_view part)
{
    std::bitset<128> met;
    bool hasDigit = false;
    bool hasLetter = false;
    for (const char each : part) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte >= 128
            || (std::isalnum(byte) == 0 && std::string_view("-_+/=").find(each) == std::string_view::npos))
            return false;
        met.set(byte);
        hasDigit = hasDigit || std::isdigit(byte) != 0;
        hasLetter = hasLetter || std::isalpha(byte) != 0;
    }
    return hasDigit && hasLetter && met.count() >= kShortestSecret;
}

// Splits a long secret into parts, because values shown in short form may contain only a part of it.
std::vector<std::string> partsOf(const std::string& secret)
{
    constexpr std::size_t kPart = 2 * kShortestSecret;
    std::vector<std::string> parts;
    if (secret.size() < 2 * kPart)
        return parts;
    for (std::size_t from = 0; from + kPart <= secret.size(); from += kPart)
        parts.push_back(secret.substr(from, kPart));
    parts.push_back(secret.substr(secret.size() - kPart));
    // The head of a signed token names its algorithm and is the same for everybody.
    std::erase_if(parts,
                  [](const std::string& part) { return !looksRandom(part) || part.starts_with("eyJ"); });
    return parts;
}

} // namespace

void keepOut(const std::string& name, const std::string& secret)
{
    if (secret.size() < kShortestSecret)
        return;
    Known& all = known();
    const std::lock_guard lock(all.mutex);
    const std::string label = "[secret " + name + "]";
    bool isNew = false;
    const auto add = [&](const std::string& text) {
        for (const std::string& form : writtenForms(text))
            isNew = all.forms.try_emplace(form, label).second || isNew;
        for (const std::string& part : partsOf(text))
            isNew = all.forms.try_emplace(part, label).second || isNew;
    };
    add(secret);
    // Code that prints a text of several lines may print each line alone.
    for (std::size_t from = 0; secret.find('\n') != std::string::npos && from < secret.size();) {
        const std::size_t end = std::min(secret.find('\n', from), secret.size());
        if (end - from >= 2 * kShortestSecret)
            add(secret.substr(from, end - from));
        from = end + 1;
    }
    if (!isNew)
        return;
    std::vector<SecretMatcher::Pattern> patterns;
    for (const auto& [form, its] : all.forms)
        patterns.push_back({ form, its });
    all.matchers.push_back(std::make_unique<const SecretMatcher>(std::move(patterns)));
    all.matcher.store(all.matchers.back().get(), std::memory_order_release);
}

std::string withoutSecrets(std::string_view text)
{
    SecretFilter filter;
    std::string out = filter.push(text);
    out += filter.finish();
    return out;
}

std::string withoutLikelySecrets(std::string_view text)
{
    std::string out = withoutSecrets(text);
    maskPrivateKeys(out);
    for (const Likely& kind : kLikely)
        maskTokens(out, kind);
    return out;
}

Value valueWithoutSecrets(const Value& value)
{
    const SecretMatcher* const matcher = currentMatcher();
    if (matcher == nullptr)
        return value;
    return cleaned(value, *matcher).value_or(value);
}

bool holdsSecret(std::string_view text)
{
    const SecretMatcher* const matcher = currentMatcher();
    return matcher != nullptr && matcher->find(text, 0);
}

std::string SecretFilter::push(std::string_view piece)
{
    const SecretMatcher* const matcher = currentMatcher();
    if (matcher == nullptr)
        return std::string(piece);
    if (m_held.empty())
        return take(piece, *matcher);
    std::string whole = std::exchange(m_held, {});
    whole.reserve(whole.size() + piece.size());
    whole += piece;
    return take(whole, *matcher);
}

std::string SecretFilter::take(std::string_view text, const SecretMatcher& matcher)
{
    std::string out;
    std::size_t at = 0;
    std::size_t open = matcher.openEnd(text, at);
    while (const auto hit = matcher.find(text, at)) {
        if (hit->begin >= open)
            break;
        m_hasMet = true;
        if (out.empty())
            out.reserve(text.size() + hit->label->size()); // growing it piece by piece would copy it twice
        out.append(text, at, hit->begin - at);
        out += *hit->label;
        at = hit->begin + hit->length;
        if (open < at)
            open = matcher.openEnd(text, at);
    }
    out.append(text, at, open - at);
    m_held = text.substr(open);
    return out;
}

void SecretWatch::push(std::string_view piece)
{
    const SecretMatcher* const matcher = currentMatcher();
    if (matcher == nullptr || m_hasMet)
        return;
    const std::size_t most = matcher->longest() - 1;
    m_hasMet = matcher->find(piece, 0).has_value();
    if (!m_hasMet && !m_tail.empty())
        m_hasMet = matcher->find(m_tail + std::string(piece.substr(0, most)), 0).has_value();
    if (piece.size() < most)
        m_tail += piece;
    else
        m_tail = piece.substr(piece.size() - most);
    if (m_tail.size() > most)
        m_tail.erase(0, m_tail.size() - most);
}

std::string SecretFilter::finish()
{
    const SecretMatcher* const matcher = currentMatcher();
    const std::string rest = std::exchange(m_held, {});
    if (matcher == nullptr)
        return rest;
    std::string out;
    std::size_t at = 0;
    while (const auto hit = matcher->find(rest, at)) {
        m_hasMet = true;
        out.append(rest, at, hit->begin - at);
        out += *hit->label;
        at = hit->begin + hit->length;
    }
    out.append(rest, at, std::string::npos);
    return out;
}

} // namespace sg
