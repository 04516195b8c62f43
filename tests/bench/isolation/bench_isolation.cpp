// Figures of what stands between sessions and the world:
//   bench-isolation redaction    bytes a second through the filter of secrets
//   bench-isolation egress       what the proxy adds to a request, bytes a second through it
//   bench-isolation artifacts    serves one artifact of 10 KB; prints its address; ends with its standard
//   input

#include "core/artifacts/artifact_server.h"
#include "core/artifacts/signed_token.h"
#include "core/base/redaction.h"
#include "core/net/connect_socket.h"
#include "core/net/http_server.h"
#include "core/sandbox/egress/egress_proxy.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/local_server.h"
#include "tests/support/temp_dir.h"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace sg;
using bench::median;
using bench::printFigure;
using std::chrono::steady_clock;

namespace {

double secondsSince(steady_clock::time_point begin)
{
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

std::string randomText(std::mt19937_64& engine, std::size_t size, std::string_view letters)
{
    std::string text(size, ' ');
    for (char& each : text)
        each = letters[engine() % letters.size()];
    return text;
}

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_ .,:\n";

void redaction()
{
    std::mt19937_64 engine(1);
    std::vector<std::string> secrets;
    for (int i = 0; i < 20; ++i) {
        secrets.push_back(randomText(engine, 24 + static_cast<std::size_t>(i) * 2, kLetters.substr(0, 62)));
        keepOut("secret" + std::to_string(i), secrets.back());
    }
    std::string log;
    while (log.size() < (64U << 20))
        log += "2026-11-21T08:00:00.123 INFO  worker " + std::to_string(engine() % 1000) + " did step "
            + std::to_string(engine() % 100000) + " of epoch 12, loss 0.1234, token=none\n";
    std::string bytes(64U << 20, ' ');
    for (char& each : bytes)
        each = static_cast<char>(engine());
    std::string hits = log;
    for (std::size_t at = 0; at + 100 < hits.size(); at += 100'000)
        hits.replace(at, secrets[at % 20].size(), secrets[at % 20]);
    for (const auto& [name, text] : { std::pair<const char*, const std::string*>{ "log", &log },
                                      { "bytes", &bytes },
                                      { "hits", &hits } }) {
        std::vector<double> rates;
        for (int round = 0; round < 7; ++round) {
            SecretFilter filter;
            std::size_t out = 0;
            const auto begin = steady_clock::now();
            for (std::size_t at = 0; at < text->size(); at += 65536)
                out += filter.push(std::string_view(*text).substr(at, 65536)).size();
            out += filter.finish().size();
            rates.push_back(static_cast<double>(text->size()) / 1e6 / secondsSince(begin));
            if (out < text->size() / 2)
                std::abort();
        }
        printFigure(std::string("isolation.redaction.") + name, median(rates), "MB/s");
    }
}

std::string exchange(const Fd& socket, const std::string& request, std::size_t& received)
{
    (void)::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
    std::string head;
    static std::string buffer(1U << 20, '\0');
    received = 0;
    for (ssize_t got = 0; (got = ::recv(socket.get(), buffer.data(), buffer.size(), 0)) > 0;) {
        if (head.size() < 32)
            head.append(buffer, 0, 32);
        received += static_cast<std::size_t>(got);
    }
    return head;
}

void egress()
{
    using namespace sandbox::egress;
    test::LocalServer small("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
    test::LocalServer large("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + std::string(512U << 20, 'x'));
    const std::string smallPlace = "127.0.0.1:" + std::to_string(small.port());
    const std::string largePlace = "127.0.0.1:" + std::to_string(large.port());
    auto policy = egressPolicy({ smallPlace, largePlace }, { smallPlace, largePlace });
    policy->limits = { 1LL << 40, 32, 1'000'000'000 };
    auto folder = EgressFolder::create("s-bench", false);
    if (!folder)
        std::abort();
    const auto proxy = EgressProxy::start(std::move(*policy), std::move(*folder),
                                          [](const EgressDecision&) { return true; });
    const auto ask = [&](bool isDirect, std::uint16_t port, const std::string& place) {
        const auto begin = steady_clock::now();
        auto socket = isDirect ? net::connectTcp("127.0.0.1", std::to_string(port), std::chrono::seconds(5))
                               : net::connectUnixSocket((*proxy)->folder() / kSocketName);
        std::size_t received = 0;
        const std::string request = isDirect ? "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
                                             : "GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n";
        const std::string head = exchange(*socket, request, received);
        if (!head.starts_with("HTTP/1.1 200 "))
            std::abort();
        return std::pair(secondsSince(begin), received);
    };
    std::vector<double> direct;
    std::vector<double> through;
    for (int i = 0; i < 500; ++i) {
        direct.push_back(ask(true, small.port(), smallPlace).first * 1000);
        through.push_back(ask(false, small.port(), smallPlace).first * 1000);
    }
    printFigure("isolation.egress.added", median(through) - median(direct));
    printFigure("isolation.egress.direct", median(direct));
    printFigure("isolation.egress.through", median(through));
    std::vector<double> rates;
    for (int i = 0; i < 3; ++i) {
        const auto [seconds, received] = ask(false, large.port(), largePlace);
        rates.push_back(static_cast<double>(received) / 1e6 / seconds);
    }
    printFigure("isolation.egress.rate", median(rates), "MB/s");
}

void serveArtifact()
{
    using namespace sg::artifacts;
    const test::TempDir folder;
    auto store = openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
    auto writer = (*store)->begin(*RelativePath::parse("figure.png"), 0, {});
    (void)(*writer)->write("\x89PNG\r\n\x1a\n" + std::string(10'232, 'x'));
    const auto artifact = (*writer)->finish();
    const std::string key(32, 'k');
    const SystemClock clock;
    ArtifactServer server(**store, clock, { key, {}, 0, {} });
    net::HttpServerOptions options;
    const auto http =
        net::HttpServer::start(options, [&](const net::HttpHead& request) { return server.answer(request); });
    server.setPort((*http)->port());
    std::cout << "http://127.0.0.1:" << (*http)->port() << "/artifacts/" << artifact->id.value
              << "?token=" << signToken(key, artifact->id, clock.now() + kLongestTokenTime) << std::endl;
    std::string line;
    while (std::getline(std::cin, line))
        continue;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "redaction")
        redaction();
    else if (what == "egress")
        egress();
    else if (what == "artifacts")
        serveArtifact();
    else
        return 2;
    return 0;
}
