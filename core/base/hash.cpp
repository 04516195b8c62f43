#include "core/base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <cstdlib>

namespace sg {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string_view viewOf(const unsigned char* bytes, std::size_t count)
{
    return { reinterpret_cast<const char*>(bytes), count };
}

// libcrypto fails here only without memory or if its installation is broken: no hash can be trusted then.
void require(int success)
{
    if (success != 1)
        std::abort();
}

} // namespace

std::string toHex(std::string_view bytes)
{
    std::string out(bytes.size() * 2, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(bytes[i]);
        out[i * 2] = kHexDigits[byte >> 4U];
        out[i * 2 + 1] = kHexDigits[byte & 0xFU];
    }
    return out;
}

std::string toBase64(std::string_view bytes)
{
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
        const std::size_t present = bytes.size() - i;
        out += kBase64Digits[group >> 18U];
        out += kBase64Digits[(group >> 12U) & 0x3FU];
        out += present > 1 ? kBase64Digits[(group >> 6U) & 0x3FU] : '=';
        out += present > 2 ? kBase64Digits[group & 0x3FU] : '=';
    }
    return out;
}

std::string xxh3Hex(std::string_view bytes)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return toHex(viewOf(canonical.digest, sizeof canonical.digest));
}

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256()
    : m_state(std::make_unique<State>())
{
    require(EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes)
{
    require(EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()));
}

std::string Sha256::finishHex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    require(EVP_DigestFinal_ex(m_state->context, digest.data(), &size));
    return toHex(viewOf(digest.data(), size));
}

std::string sha256Hex(std::string_view bytes)
{
    Sha256 hash;
    hash.update(bytes);
    return hash.finishHex();
}

bool isSha256Hex(std::string_view text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string sha1Bytes(std::string_view bytes)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha1(), nullptr));
    return std::string(viewOf(digest.data(), size));
}

} // namespace sg
