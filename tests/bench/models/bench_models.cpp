// bench-models [CHUNKS]: how many chunks of a stream become a message in a second, from bytes to text, with
// and without somebody who listens to each. Seconds are those of the processor.

#include "core/models/reply_fold.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

using namespace sg;
using namespace sg::models;

namespace {

constexpr int kBlock = 1000;
constexpr std::size_t kCut = 1400; // as network packets come

double processorSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string block(Wire wire)
{
    const char* chunk = wire == Wire::OpenAi
        ? R"(data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m-1",)"
          R"("system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"word "},"logprobs":null,)"
          R"("finish_reason":null}],"usage":null})"
          "\n\n"
        : "event: content_block_delta\n"
          R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}})"
          "\n\n";
    std::string text;
    for (int i = 0; i < kBlock; ++i)
        text += chunk;
    return text;
}

void measure(const char* name, Wire wire, int chunks, const ChunkSink& sink)
{
    const std::string bytes = block(wire);
    net::SseParser parser;
    const auto fold = wireFormat(wire).fold({}, sink);
    const auto take = [&](const net::SseEvent& event) { return !fold->take(event); };
    const double begin = processorSeconds();
    for (int i = 0; i < chunks / kBlock; ++i)
        for (std::size_t at = 0; at < bytes.size(); at += kCut)
            if (!parser.push(std::string_view(bytes).substr(at, kCut), take))
                std::exit(1);
    const double took = processorSeconds() - begin;
    if (fold->textSoFar().size() != std::size_t{ 5 } * static_cast<std::size_t>(chunks))
        std::exit(1);
    std::printf("%-28s %9.0f chunks a second\n", name, chunks / took);
}

} // namespace

int main(int argc, char** argv)
{
    const int chunks = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    std::size_t heard = 0;
    const ChunkSink listen = [&heard](const ValueMap& chunk) { heard += chunk.size(); };
    measure("OpenAI", Wire::OpenAi, chunks, {});
    measure("OpenAI, with a listener", Wire::OpenAi, chunks, listen);
    measure("Anthropic", Wire::Anthropic, chunks, {});
    measure("Anthropic, with a listener", Wire::Anthropic, chunks, listen);
    return heard > 0 ? 0 : 1;
}
