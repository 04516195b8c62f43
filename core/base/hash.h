#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sg {

std::string toHex(std::string_view bytes);
std::string toBase64(std::string_view bytes);

// XXH3 128 bits, canonical (big-endian) hex: LangGraph's task and interrupt ids.
std::string xxh3Hex(std::string_view bytes);

// SHA-256 (OpenSSL), fed in pieces. One owner.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void update(std::string_view bytes);
    std::string finishHex(); // once

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Hex(std::string_view bytes);
std::string sha1Bytes(std::string_view bytes); // 20 raw bytes: uuid5 and task ids of old databases

} // namespace sg
