#include "core/base/printable.h"
#include "core/datasets/dataset_source.h"
#include "core/net/http_client.h"

#include <chrono>
#include <stop_token>
#include <thread>

namespace sg::datasets {
namespace {

constexpr std::size_t kMostWords = 300; // of an error answer
constexpr std::chrono::milliseconds kTransferLook{ 50 };

std::string filled(std::string text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

Error refused(const DatasetSource& source, const net::HttpResponse& response, const std::string& words)
{
    const std::string from = source.name + " (" + source.url + ")";
    const std::string status = std::to_string(response.status);
    if (response.status == 404 || response.status == 410)
        return { Errc::NotFound, from + " does not have it (status " + status + ")" };
    if (response.status >= 300 && response.status < 400)
        return { Errc::Unavailable,
                 from + " redirects (status " + status
                     + ") and redirects are not followed: write the address "
                       "where the data lies into datasets.json" };
    if (response.status == 401 || response.status == 403)
        return { Errc::PermissionDenied,
                 from + " refuses (status " + status + "): "
                     + (source.secret.empty() ? "it may want a secret, see \"secret\" in datasets.json"
                                              : "check the secret " + source.secret) };
    return { Errc::Unavailable,
             from + " answered with status " + status + (words.empty() ? "" : ": " + printableText(words)) };
}

} // namespace

Result<void> fetchByHttp(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                         const Sink& sink)
{
    net::HttpRequest request;
    request.url = filled(source.url, "{id}", net::percentEncoded(id));
    for (const auto& [name, value] : source.headers) {
        const std::string text = filled(value, "{id}", id);
        request.headers.emplace_back(
            name, world.secret == nullptr ? text : filled(text, "{secret}", world.secret->reveal()));
    }
    request.timeout = source.timeout;
    std::stop_source stop;
    request.stop = stop.get_token();
    Result<void> taken;
    std::string words;
    request.onBody = [&](int status, std::string_view piece) {
        if (status != 200) {
            words += piece.substr(0, kMostWords - std::min(kMostWords, words.size()));
            return words.size() < kMostWords;
        }
        if (sink.goesOn())
            taken = sink.take(piece);
        return bool(taken) && sink.goesOn();
    };
    // A silent server must not keep a stopped cell waiting.
    const std::jthread watch([&](const std::stop_token& over) {
        while (!over.stop_requested() && sink.goesOn())
            std::this_thread::sleep_for(kTransferLook);
        if (!over.stop_requested())
            stop.request_stop();
    });
    net::HttpClient client;
    const auto response = client.send(request);
    if (!taken)
        return taken;
    if (!sink.goesOn())
        return Error{ Errc::Cancelled, "it was stopped" };
    if (!response && words.empty())
        return Error{ response.error().code, source.name + ": " + response.error().message };
    if (!response)
        return Error{ Errc::Unavailable,
                      source.name + " (" + source.url + ") refuses: " + printableText(words) };
    if (response->status != 200)
        return refused(source, *response, words);
    return {};
}

} // namespace sg::datasets
