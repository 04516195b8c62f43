#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sg {

std::string toHex(std::string_view bytes);
std::string toBase64(std::string_view bytes);

// Returns XXH3 (128 bits) as canonical big-endian hex, which LangGraph uses for task and interrupt ids.
std::string xxh3Hex(std::string_view bytes);

// Computes SHA-256 (OpenSSL) of bytes that come in pieces. It has one owner.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void update(std::string_view bytes);
    std::string finishHex(); // called once

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Hex(std::string_view bytes);
// Tells whether it is a SHA-256 as we write it, 64 lower-case hex digits. What comes from a file or a
// database is asked before it becomes a part of a path.
bool isSha256Hex(std::string_view text);
std::string sha1Bytes(std::string_view bytes); // 20 raw bytes: uuid5 and task ids of old databases

} // namespace sg
