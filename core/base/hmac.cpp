#include "core/base/hmac.h"

#include "core/base/hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace sg {
namespace {

int digitOf(char each)
{
    if (each >= 'A' && each <= 'Z')
        return each - 'A';
    if (each >= 'a' && each <= 'z')
        return each - 'a' + 26;
    if (each >= '0' && each <= '9')
        return each - '0' + 52;
    return each == '-' ? 62 : each == '_' ? 63 : -1;
}

} // namespace

std::string hmacSha256(std::string_view key, std::string_view message)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
               reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(), &size)
        == nullptr)
        std::abort(); // no memory, or a broken libcrypto: nothing can be signed then
    return { reinterpret_cast<const char*>(digest.data()), size };
}

bool isSameSecretly(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string toBase64Url(std::string_view bytes)
{
    std::string text = toBase64(bytes);
    text.erase(std::min(text.find('='), text.size()));
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

bool fromBase64Url(std::string_view text, std::string& bytes)
{
    bytes.clear();
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char each : text) {
        const int digit = digitOf(each);
        if (digit < 0)
            return false;
        group = group << 6U | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(group >> bits & 0xFFU);
        }
    }
    return text.size() % 4 != 1 && (group & ((1U << bits) - 1U)) == 0;
}

} // namespace sg
