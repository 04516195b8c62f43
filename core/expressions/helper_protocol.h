#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

// The protocol between JqEvaluator's process form and `sandglass-jq`, on one unix stream socket, which is the
// helper's descriptor 3.
//
//   frame    = length of the body, 4 bytes big-endian · body, MessagePack
//   request  = ["load", [program, …], {"outputs": most results, "seconds": seconds}]     once, first
//            | ["prepare", index]                      compile, if not yet done
//            | ["evaluate", index, input]
//            | ["check"]
//   response = ["ok", value] | ["error", message]      one per request, in order
//   values   : load null · prepare null · evaluate [result, …] · check [[index, message], …]
//
// The helper ends when the socket closes, or by its own alarm "seconds" after an evaluation began, so that an
// endless loop does not outlive a program that was killed.
namespace sg::expressions {

inline constexpr int kHelperDescriptor = 3;
inline constexpr int kExitNotConfined = 3; // exit code: the kernel refused a limit or the system call filter
inline constexpr std::size_t kFrameHeader = 4;
// A body and the value that is made of it have to fit into the helper's memory together.
constexpr std::size_t largestFrame(std::size_t memoryBytes)
{
    return std::min(memoryBytes / 2, std::size_t{ 1 } << 30U);
}

std::string frame(const Value& body); // header and body
std::size_t frameLength(std::string_view header);
Result<Value> frameBody(std::string_view body);

} // namespace sg::expressions
