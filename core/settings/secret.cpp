#include "core/settings/secret.h"

#include "core/base/redaction.h"

#include <string.h> // explicit_bzero

#include <algorithm>
#include <cctype>

namespace sg::settings {

bool isSecretName(std::string_view name)
{
    const auto isLetter = [](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return byte < 128 && std::isalpha(byte) != 0;
    };
    return !name.empty() && name.size() <= 64 && isLetter(name.front())
        && std::ranges::all_of(name, [&](char each) {
               return isLetter(each) || (each >= '0' && each <= '9') || each == '_' || each == '-';
           });
}

Secret::Secret(std::string name, std::string bytes)
    : m_name(std::move(name))
    , m_bytes(std::move(bytes))
{
    keepOut(m_name, m_bytes);
}

// A short text is stored inside the string object and would stay there after a move.
Secret::Secret(Secret&& other) noexcept
    : m_name(std::move(other.m_name))
    , m_bytes(other.m_bytes) // NOLINT(performance-move-constructor-init): see above
{
    ::explicit_bzero(other.m_bytes.data(), other.m_bytes.size());
    other.m_bytes.clear();
}

Secret::~Secret()
{
    ::explicit_bzero(m_bytes.data(), m_bytes.size());
}

} // namespace sg::settings
