// Who gets an artifact over HTTP, who does not, and how it is sent.

#include "core/artifacts/artifact_server.h"
#include "core/artifacts/signed_token.h"
#include "core/base/hmac.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace sg;
using namespace sg::artifacts;

namespace {

const std::string kKey = "0123456789abcdef0123456789abcdef";

struct World {
    World()
        : store(std::move(*openArtifactStore(folder / "artifacts.sqlite", folder / "blobs")))
        , server(*store, clock, { kKey, { "artifacts.example.com" }, 8000, {} })
    {
    }
    Artifact add(const std::string& path, const std::string& content) const
    {
        auto writer = store->begin(*RelativePath::parse(path), 0, {});
        if (!writer || !(*writer)->write(content))
            std::abort();
        return std::move(*(*writer)->finish());
    }
    [[nodiscard]] std::string token(const Artifact& artifact, std::chrono::seconds time = kTokenTime) const
    {
        return signToken(kKey, artifact.id, clock.now() + time);
    }
    net::HttpAnswer ask(const std::string& target, const std::string& lines = {},
                        const std::string& method = "GET", const std::string& host = "127.0.0.1:8000")
    {
        net::HttpHead head;
        const std::string text =
            method + ' ' + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + lines + "\r\n";
        const auto read = net::parseHttpHead(text, head);
        if (read.state != net::HttpHeadResult::State::Whole)
            return net::textAnswer(read.status, read.why);
        return server.answer(head);
    }
    net::HttpAnswer get(const Artifact& artifact, const std::string& lines = {})
    {
        return ask("/artifacts/" + artifact.id.value + "?token=" + token(artifact), lines);
    }

    test::TempDir folder;
    test::FakeClock clock;
    std::unique_ptr<ArtifactStore> store;
    ArtifactServer server;
};

std::string bodyOf(const net::HttpAnswer& answer)
{
    return answer.body ? *answer.body : std::string();
}

} // namespace

class TestArtifactServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void givesWhatItsTokenOpens()
    {
        World world;
        const Artifact artifact = world.add("out/table.csv", "a,b\n1,2\n");
        const net::HttpAnswer answer = world.get(artifact);
        QCOMPARE(answer.status, 200);
        QCOMPARE(bodyOf(answer), std::string("a,b\n1,2\n"));
        for (const char* line :
             { "Content-Type: text/csv; charset=utf-8\r\n", "X-Content-Type-Options: nosniff\r\n",
               "Content-Disposition: inline; filename=\"table.csv\"", "Content-Security-Policy: sandbox",
               "Referrer-Policy: no-referrer\r\n" })
            SG_VERIFY_CONTAINS(answer.headers, line);
        const net::HttpAnswer told =
            world.ask("/artifacts/" + artifact.id.value + "/head?token=" + world.token(artifact));
        QCOMPARE(told.status, 200);
        SG_VERIFY_CONTAINS(bodyOf(told), artifact.sha256);
        // As LangGraph-Sandbox makes them: an id and seconds, signed.
        const std::string message = artifact.id.value + '.'
            + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                                 (world.clock.now() + std::chrono::seconds(60)).time_since_epoch())
                                 .count());
        const std::string token = toBase64Url(message) + '.' + toBase64Url(hmacSha256(kKey, message));
        QCOMPARE(world.ask("/artifacts/" + artifact.id.value + "?token=" + token).status, 200);
    }

    void refusesTokens_data()
    {
        QTest::addColumn<std::string>("kind");
        QTest::addColumn<int>("status");
        const auto row = [](const char* kind, int status) {
            QTest::newRow(kind) << std::string(kind) << status;
        };
        row("none", 422);
        row("empty", 422);
        row("nonsense", 401);
        row("no signature", 401);
        row("another key", 401);
        row("expired", 401);
        row("for too long", 401);
        row("another artifact", 403);
        row("a changed time", 401);
        row("padded", 401);
        row("standard base64", 401);
        row("twice", 401);
        row("unknown artifact", 404);
        row("content gone", 410);
    }
    void refusesTokens()
    {
        QFETCH(const std::string, kind);
        QFETCH(const int, status);
        World world;
        Artifact artifact = world.add("a.txt", "content");
        const Artifact other = world.add("b.txt", "another");
        std::string token = world.token(artifact);
        if (kind == "empty")
            token.clear();
        else if (kind == "nonsense")
            token = "nonsense.nonsense";
        else if (kind == "no signature")
            token = token.substr(0, token.find('.') + 1);
        else if (kind == "another key")
            token = signToken("another key", artifact.id, world.clock.now() + kTokenTime);
        else if (kind == "expired")
            token = world.token(artifact, std::chrono::seconds(-1));
        else if (kind == "for too long")
            token = world.token(artifact, std::chrono::hours(24));
        else if (kind == "another artifact")
            token = world.token(other);
        else if (kind == "a changed time")
            token = toBase64Url(artifact.id.value + ".99999999999") + token.substr(token.find('.'));
        else if (kind == "padded")
            token += "=";
        else if (kind == "standard base64")
            token += "+/";
        else if (kind == "twice")
            token += "." + token;
        else if (kind == "unknown artifact") {
            artifact.id = ArtifactId("art_000000000000000000000000");
            token = world.token(artifact);
        } else if (kind == "content gone")
            std::filesystem::remove(world.store->blobPath(artifact));
        const std::string query = kind == "none" ? "" : "?token=" + token;
        QCOMPARE(world.ask("/artifacts/" + artifact.id.value + query).status, status);
    }

    // Every byte of a token counts.
    void refusesEveryChangeOfAToken()
    {
        World world;
        const Artifact artifact = world.add("a.txt", "content");
        const std::string good = world.token(artifact);
        for (std::size_t i = 0; i < good.size(); ++i)
            for (const char each : { 'A', 'B', '_', '.', '0' }) {
                std::string token = good;
                if (token[i] == each)
                    continue;
                token[i] = each;
                const auto check = checkToken(kKey, token, world.clock.now());
                QVERIFY2(check.fault != TokenFault::None, token.c_str());
            }
    }

    void acceptsNoneOfAMillionRandomTokens()
    {
        World world;
        const Artifact artifact = world.add("a.txt", "content");
        const std::string good = world.token(artifact);
        const std::string head = good.substr(0, good.find('.') + 1);
        std::mt19937_64 engine(1);
        const WallTime now = world.clock.now();
        int accepted = 0;
        for (int i = 0; i < 1'000'000; ++i) {
            std::string signature(32, '\0');
            for (std::size_t k = 0; k < signature.size(); k += 8) {
                const std::uint64_t bits = engine();
                std::memcpy(signature.data() + k, &bits, sizeof bits);
            }
            accepted +=
                checkToken(kKey, head + toBase64Url(signature), now).fault == TokenFault::None ? 1 : 0;
        }
        QCOMPARE(accepted, 0);
        QCOMPARE(checkToken(kKey, good, now).fault, TokenFault::None);
    }

    void otherSpellingsLeadNowhere_data()
    {
        QTest::addColumn<std::string>("path");
        for (const char* path : { "/",
                                  "/artifacts",
                                  "/artifacts/",
                                  "/artifacts/..",
                                  "/artifacts/../artifacts.key",
                                  "/artifacts/%2e%2e/artifacts.sqlite",
                                  "/artifacts//etc/passwd",
                                  "/artifacts/..\\..",
                                  "/artifacts/%00",
                                  "/artifacts/art_0123456789ABCDEF01234567",
                                  "/artifacts/art_0123456789abcdef0123456",
                                  "/artifacts/art_0123456789abcdef01234567/",
                                  "/artifacts/art_0123456789abcdef01234567/x",
                                  "/artifacts/art_0123456789abcdef01234567%2f",
                                  "//artifacts/x",
                                  "/ARTIFACTS/x",
                                  "/blobs",
                                  "/.sandglass",
                                  "http://127.0.0.1:8000/healthz",
                                  "*" })
            QTest::newRow(path) << std::string(path);
        QTest::newRow("long") << "/artifacts/" + std::string(3000, 'a');
    }
    void otherSpellingsLeadNowhere()
    {
        QFETCH(const std::string, path);
        World world;
        const Artifact artifact = world.add("a.txt", "content");
        QCOMPARE(world.ask(path + "?token=" + world.token(artifact)).status, 404);
    }

    void answersOnlyWhoAsksForItByName_data()
    {
        QTest::addColumn<std::string>("host");
        QTest::addColumn<std::string>("lines");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const char* host, const char* lines, int status) {
            QTest::newRow(name) << std::string(host) << std::string(lines) << status;
        };
        row("address", "127.0.0.1:8000", "", 200);
        row("name", "localhost:8000", "", 200);
        row("IPv6", "[::1]:8000", "", 200);
        row("told of", "artifacts.example.com", "", 200);
        row("rebound name", "evil.example:8000", "", 403);
        row("another port", "127.0.0.1:8001", "", 403);
        row("no port", "127.0.0.1", "", 403);
        row("longer", "localhost:8000.evil.example", "", 403);
        row("own page", "127.0.0.1:8000", "Origin: http://127.0.0.1:8000\r\n", 200);
        row("another page", "127.0.0.1:8000", "Origin: http://evil.example\r\n", 403);
        row("a page of no origin", "127.0.0.1:8000", "Origin: null\r\n", 403);
        row("a picture in another page", "127.0.0.1:8000",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", 403);
        row("a link followed", "127.0.0.1:8000", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n",
            200);
    }
    void answersOnlyWhoAsksForItByName()
    {
        QFETCH(const std::string, host);
        QFETCH(const std::string, lines);
        QFETCH(const int, status);
        World world;
        QCOMPARE(world.ask("/healthz", lines, "GET", host).status, status);
        QVERIFY(world.ask("/healthz", lines, "GET", host).headers.find("Access-Control")
                == std::string::npos);
    }

    void activeContentIsADownload_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("content");
        QTest::addColumn<bool>("isShown");
        const auto row = [](const char* name, const char* content, bool isShown) {
            QTest::newRow(name) << std::string(name) << std::string(content) << isShown;
        };
        row("page.html", "<script>alert(1)</script>", false);
        row("picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>", false);
        row("data.xml", "<?xml version=\"1.0\"?><x/>", false);
        row("code.js", "alert(1)", false);
        row("paper.pdf", "%PDF-1.4", false);
        row("program",
            "\x7f"
            "ELF",
            false);
        row("a.txt", "text", true);
        row("b.json", "{}", true);
        row("c.png", "\x89PNG\r\n\x1a\n", true);
        row("d.png", "<html><script>", true); // as plain text, which it says it is
    }
    void activeContentIsADownload()
    {
        QFETCH(const std::string, name);
        QFETCH(const std::string, content);
        QFETCH(const bool, isShown);
        World world;
        const std::string headers = world.get(world.add(name, content)).headers;
        QCOMPARE(headers.find("Content-Disposition: inline") != std::string::npos, isShown);
        QCOMPARE(headers.find("Content-Disposition: attachment") != std::string::npos, !isShown);
        SG_VERIFY_CONTAINS(headers, "nosniff");
    }

    void namesStayInTheirHeader()
    {
        World world;
        const std::string headers =
            contentHeaders("text/html\r\nX-Evil: 1", "a\"\r\nSet-Cookie: b; \xC3\xBC.txt");
        QVERIFY(headers.find("Evil: 1\r\n") == std::string::npos);
        QVERIFY(headers.find("\r\nSet-Cookie") == std::string::npos);
        SG_VERIFY_CONTAINS(headers, "Content-Type: application/octet-stream\r\n");
        SG_VERIFY_CONTAINS(headers, "%C3%BC.txt");
    }

    void sendsParts_data()
    {
        QTest::addColumn<std::string>("range");
        QTest::addColumn<int>("status");
        QTest::addColumn<std::string>("part");
        const auto row = [](const char* range, int status, const char* part) {
            QTest::newRow(range) << std::string(range) << status << std::string(part);
        };
        row("bytes=0-3", 206, "0123");
        row("bytes=4-", 206, "456789");
        row("bytes=-3", 206, "789");
        row("bytes=-99", 206, "0123456789");
        row("bytes=8-99", 206, "89");
        row("bytes=9-9", 206, "9");
        row("bytes=10-", 416, "");
        row("bytes=-0", 416, "");
        row("bytes=5-4", 200, "0123456789");
        row("bytes=0-1,3-4", 200, "0123456789");
        row("bytes=x-1", 200, "0123456789");
        row("bytes=18446744073709551616-", 200, "0123456789");
        row("items=0-1", 200, "0123456789");
    }
    void sendsParts()
    {
        QFETCH(const std::string, range);
        QFETCH(const int, status);
        QFETCH(const std::string, part);
        World world;
        const Artifact artifact = world.add("digits.txt", "0123456789");
        const net::HttpAnswer answer = world.get(artifact, "Range: " + range + "\r\n");
        QCOMPARE(answer.status, status);
        if (status != 416)
            QCOMPARE(bodyOf(answer), part);
        else
            SG_VERIFY_CONTAINS(answer.headers, "Content-Range: bytes */10\r\n");
        const net::HttpAnswer other =
            world.get(artifact, "Range: " + range + "\r\nIf-Range: \"another\"\r\n");
        QCOMPARE(other.status, 200);
        QCOMPARE(world.get(artifact, "If-None-Match: \"" + artifact.sha256 + "\"\r\n").status, 304);
        const net::HttpAnswer head =
            world.ask("/artifacts/" + artifact.id.value + "?token=" + world.token(artifact),
                      "Range: " + range + "\r\n", "HEAD");
        QCOMPARE(head.status, 200); // ranges are for GET
        QVERIFY(head.headers.find("Content-Range") == std::string::npos);
    }

    void largeOnesComeFromTheirFile()
    {
        World world;
        const std::string content(1'000'000, 'x');
        const net::HttpAnswer answer = world.get(world.add("large.txt", content), "Range: bytes=10-19\r\n");
        QCOMPARE(answer.status, 206);
        QVERIFY(answer.file);
        QCOMPARE(answer.offset, std::uint64_t{ 10 });
        QCOMPARE(answer.length, std::uint64_t{ 10 });
    }

    void damageIsTold()
    {
        World world;
        const Artifact artifact = world.add("a.txt", "content");
        const auto blob = world.store->blobPath(artifact);
        std::filesystem::permissions(blob, std::filesystem::perms(0600));
        std::ofstream(blob, std::ios::binary) << "Content";
        QCOMPARE(world.get(artifact).status, 500);
    }

    void otherMethodsAreRefused()
    {
        World world;
        for (const char* method : { "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH" })
            QCOMPARE(world.ask("/healthz", {}, method).status, 405);
        QCOMPARE(world.ask("/healthz", {}, "HEAD").status, 200);
    }

    void tellsItsFigures()
    {
        World world;
        (void)world.ask("/healthz");
        (void)world.ask("/nothing");
        const std::string text = bodyOf(world.ask("/metrics"));
        SG_VERIFY_CONTAINS(text, "sandglass_http_answers_total{status=\"2xx\"} 1\n");
        SG_VERIFY_CONTAINS(text, "sandglass_http_answers_total{status=\"4xx\"} 1\n");
        SG_VERIFY_CONTAINS(text, "# TYPE sandglass_http_content_bytes_total counter\n");
    }

    void theKeyIsMadeOnceAndIsSecret()
    {
        const test::TempDir folder;
        const auto first = tokenKey(folder / "key");
        SG_VERIFY_OK(first);
        QCOMPARE(first->size(), std::size_t{ 32 });
        QCOMPARE(*tokenKey(folder / "key"), *first);
        QCOMPARE(std::filesystem::status(folder / "key").permissions(), std::filesystem::perms(0600));
        std::filesystem::permissions(folder / "key", std::filesystem::perms(0640));
        QCOMPARE(tokenKey(folder / "key").error().code, Errc::PermissionDenied);
    }
};

SG_TEST(TestArtifactServer)
#include "tst_artifact_server.moc"
