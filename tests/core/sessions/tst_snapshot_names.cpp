#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/sessions/snapshots/snapshot_names.h"
#include "tests/core/sessions/scripted_backend.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

using namespace sg;
using namespace sg::test;
using namespace std::chrono_literals;
using sessions::RunnerLink;
namespace fs = std::filesystem;

// Names written out of an interpreter and read back into a fresh one, by both ways that they can go.
class TestSnapshotNames final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesComeBack_data() { ways(); }
    void namesComeBack();
    void aNameThatKillsCostsNoOther();
    void aNameThatKillsWhoReadsItCostsNoOther_data() { ways(); }
    void aNameThatKillsWhoReadsItCostsNoOther();
    void aContentThatWasChangedIsRefused_data() { ways(); }
    void aContentThatWasChangedIsRefused();
    void whatIsGoneIsTold_data() { ways(); }
    void whatIsGoneIsTold();
    void anInterpreterThatDiesMidwayIsAnError_data() { ways(); }
    void anInterpreterThatDiesMidwayIsAnError();
    void noNameThatHoldsASecretIsWrittenOut_data();
    void noNameThatHoldsASecretIsWrittenOut();
    void othersThanWhatHoldsASecretComeBack();
    void aRunnerThatKnowsNoDescriptorsGetsPieces();
    void aRunnerThatGotNoDescriptorGetsPieces();
    void aRunnerThatStopsReadingIsNotWaitedForForEver();
    void aRunnerThatLeavesMidwayIsAnError();
    void aRunnerThatSaysItReadAllIsNotBelieved();
    void aLinkThatEndsMidwayIsAnError();

private:
    static void ways()
    {
        QTest::addColumn<bool>("direct");
        QTest::newRow("through a socket of its own") << true;
        QTest::newRow("in pieces") << false;
    }
};

namespace {

// Another stream, of which is known what went through it.
class WatchedStream : public sandbox::ByteStream {
public:
    explicit WatchedStream(sandbox::ByteStream& stream)
        : m_stream(stream)
    {
    }
    Result<std::size_t> read(char* buffer, std::size_t size, Millis timeout) override
    {
        return m_stream.read(buffer, size, timeout);
    }
    Result<void> write(std::string_view bytes) override
    {
        written += bytes.size();
        return m_stream.write(bytes);
    }
    void close() override { m_stream.close(); }

    std::size_t written = 0;

protected:
    sandbox::ByteStream& m_stream;
};

class WatchedCarrier final : public WatchedStream, public sandbox::DescriptorCarrier {
public:
    using WatchedStream::WatchedStream;
    Result<void> writeWith(std::string_view bytes, int descriptor) override
    {
        return dynamic_cast<sandbox::DescriptorCarrier&>(m_stream).writeWith(bytes, descriptor);
    }
};

std::size_t openDescriptors()
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd"))
        ++count;
    return count;
}

constexpr std::size_t kLarge = 12U << 20;

// A runner, and contents.
class Place {
public:
    explicit Place(bool direct)
        : m_backend(folder / "sandboxes")
        , blobs(std::move(*artifacts::BlobStore::open(folder / "contents")))
    {
        sandbox::SandboxSpec spec;
        spec.session = SessionId("s-test");
        spec.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        auto started = m_backend.start(spec);
        if (!started)
            qFatal("%s", started.error().message.c_str());
        m_sandbox = std::move(*started);
        if (direct)
            stream = std::make_unique<WatchedCarrier>(m_sandbox->stream());
        else
            stream = std::make_unique<WatchedStream>(m_sandbox->stream());
        link.emplace(*stream, [](const sessions::Frame&) {});
        if (const auto greeted = link->hello({}, 30s); !greeted)
            qFatal("%s", greeted.error().message.c_str());
    }
    ~Place() { link->close({ Errc::Cancelled, "the test is over" }); }

    // Returns the value of the code's last line, or why there is nothing.
    std::string value(const std::string& code)
    {
        const auto done = link->ask({ { "op", "cell" }, { "code", code } }, "done", 30s);
        if (!done)
            return done.error().message;
        return done->body["status"] == Value("ok") ? done->body["result"].stringOr("text/plain", "")
                                                   : done->body["error"].stringOr("text", "?");
    }
    // Stores the names of the interpreter itself, which is a fresh one then.
    Result<Value> store()
    {
        auto names = sessions::storeNames(*link, SnapshotId(), blobs);
        if (const auto restarted = link->ask({ { "op", "restart" } }, "restarted", 30s); !restarted)
            return restarted.error();
        return names;
    }
    // The file of the only large content.
    [[nodiscard]] fs::path large() const
    {
        for (const auto& entry : fs::recursive_directory_iterator(folder / "contents"))
            if (entry.is_regular_file() && entry.file_size() >= kLarge)
                return entry.path();
        return {};
    }

    TempDir folder;

private:
    LocalProcessBackend m_backend;
    std::unique_ptr<sandbox::Sandbox> m_sandbox;

public:
    artifacts::BlobStore blobs;
    std::unique_ptr<WatchedStream> stream;
    std::optional<RunnerLink> link;
};

const std::string kNames = "import os\nsmall = [1, 'two']\nagain = small\n"
                           "large = bytearray(os.urandom(1 << 20) * 12)\nlarge[-1] = 7";

// A runner that the test speaks for, and names with one large content for it.
class Scripted {
public:
    using Script = std::function<void(int socket, ScriptedRunner&)>;
    explicit Scripted(Script script)
        : m_blobs(std::move(*artifacts::BlobStore::open(m_folder / "contents")))
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            qFatal("socketpair");
        m_stream.emplace(Fd(ends[0]));
        m_socket = ends[1];
        link.emplace(*m_stream, [](const sessions::Frame&) {});
        m_thread = std::jthread([this, script = std::move(script)] {
            ScriptedRunner runner{ Fd(m_socket) };
            script(m_socket, runner);
        });
    }
    ~Scripted() { link->close({ Errc::Cancelled, "the test is over" }); }

    Result<std::vector<sessions::NamedThing>> load(Millis patience = 30s)
    {
        auto writer = std::move(*m_blobs.begin());
        if (auto written = writer->write(std::string(kLarge, 'x')); !written)
            return written.error();
        const auto hash = writer->finish();
        if (!hash)
            return hash.error();
        const Value buffer = Value::list({ Value(*hash), Value(static_cast<std::int64_t>(kLarge)) });
        const Value record = Value::map({ { "kind", "name" },
                                          { "name", "x" },
                                          { "scope", "" },
                                          { "data", Bytes{ "p" } },
                                          { "buffers", Value::list({ buffer }) } });
        return sessions::loadNames(
            *link,
            Value::map(
                { { "python", "3.11" }, { "files", Value::list() }, { "records", Value::list({ record }) } }),
            m_blobs, patience);
    }

private:
    TempDir m_folder;
    artifacts::BlobStore m_blobs;
    std::optional<sandbox::DescriptorStream> m_stream;
    int m_socket = -1; // the script's

public:
    std::optional<RunnerLink> link;

private:
    std::jthread m_thread;
};

ValueMap answerTo(const Value& request, const char* event, ValueMap more = {})
{
    more.set("ev", event);
    more.set("id", request["id"]);
    return more;
}

ValueMap problemFor(const Value& request)
{
    return answerTo(request, "problem",
                    { { "error", Value::map({ { "type", "BadRequest" }, { "message", "no" } }) } });
}

// All that comes in pieces; then everything is there.
void takePieces(ScriptedRunner& runner, std::size_t& bytes)
{
    const Value load = runner.read();
    QCOMPARE(load.stringOr("op", ""), std::string("load"));
    QVERIFY(!load.boolOr("descriptor", false));
    for (Value piece = runner.read(); piece.stringOr("op", "") == "load_piece"; piece = runner.read()) {
        QCOMPARE(piece["to"], load["id"]);
        bytes += piece["data"].asBytes().size();
        runner.send(answerTo(piece, "taken"));
        if (piece.boolOr("last", false))
            break;
    }
    runner.send(answerTo(load, "loaded", { { "missing", Value::list() } }));
}

// Says that it waits for a descriptor, takes it with the load, and gives both.
std::pair<Value, Fd> takeDescriptor(int socket, ScriptedRunner& runner)
{
    runner.send(answerTo(runner.read(), "awaiting"));
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    std::array<char, 4> size{};
    iovec data{ size.data(), size.size() };
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    int number = -1;
    if (::recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 4 && CMSG_FIRSTHDR(&message) != nullptr)
        std::memcpy(&number, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof number);
    std::string body(static_cast<unsigned char>(size[3]), '\0');
    if (::recv(socket, body.data(), body.size(), MSG_WAITALL) < 0)
        return { Value(), Fd() };
    auto request = decodeMsgpack(body);
    runner.send(answerTo(*request, "received"));
    return { std::move(*request), Fd(number) };
}

} // namespace

void TestSnapshotNames::namesComeBack()
{
    QFETCH(const bool, direct);
    Place place(direct);
    QCOMPARE(place.value(kNames), std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    SG_VERIFY_CONTAINS(place.value("small"), "NameError"); // a fresh one
    place.stream->written = 0;
    const std::size_t before = openDescriptors();
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    SG_VERIFY_OK(missing);
    QCOMPARE(openDescriptors(), before);
    QVERIFY(missing->empty());
    QCOMPARE(place.stream->written > kLarge, !direct);
    QCOMPARE(place.value(
                 "small, again is small, len(large), large[-1], large[:1 << 20] == large[1 << 20:2 << 20]"),
             std::string("([1, 'two'], True, 12582912, 7, True)"));
}

void TestSnapshotNames::aContentThatWasChangedIsRefused()
{
    QFETCH(const bool, direct);
    Place place(direct);
    QCOMPARE(place.value(kNames), std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    const fs::path file = place.large();
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    {
        std::fstream change(file, std::ios::in | std::ios::out | std::ios::binary);
        change.seekp(5 << 20);
        change << "another text";
    }
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, Errc::Corrupt);
    // Nothing waits for the rest of it.
    QCOMPARE(place.value("6 * 7"), std::string("42"));
}

void TestSnapshotNames::whatIsGoneIsTold()
{
    QFETCH(const bool, direct);
    Place place(direct);
    QCOMPARE(place.value(kNames), std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    fs::remove(place.large());
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    SG_VERIFY_OK(missing);
    QCOMPARE(missing->size(), std::size_t(1));
    QCOMPARE(missing->front().name, std::string("large (its stored content is gone)"));
    QCOMPARE(place.value("small"), std::string("[1, 'two']"));
}

void TestSnapshotNames::aNameThatKillsCostsNoOther()
{
    Place place(true);
    QCOMPARE(place.value("import ctypes\nclass End:\n    def __reduce__(self): ctypes.string_at(1)\n"
                         "shared = [1]; a = [shared]; end = End(); b = [shared]; del End"),
             std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    SG_VERIFY_OK(missing);
    QCOMPARE(sessions::describe(*missing),
             std::string("name end (it killed the process that pickled it: signal 11 (SIGSEGV))"));
    QCOMPARE(place.value("a, b, a[0] is b[0] is shared"), std::string("([[1]], [[1]], True)"));
}

void TestSnapshotNames::aNameThatKillsWhoReadsItCostsNoOther()
{
    QFETCH(const bool, direct);
    Place place(direct);
    QCOMPARE(place.value("import os\nclass End:\n    def __reduce__(self): return (os._exit, (3,))\n"
                         "shared = [1]; a = [shared]; end = End(); b = [shared]; del End"),
             std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs, 30s, true);
    SG_VERIFY_OK(missing);
    QCOMPARE(sessions::describe(*missing),
             std::string("name end (it killed the process that read it back: exit code 3)"));
    QCOMPARE(place.value("a, b, a[0] is b[0] is shared"), std::string("([[1]], [[1]], True)"));
}

void TestSnapshotNames::anInterpreterThatDiesMidwayIsAnError()
{
    QFETCH(const bool, direct);
    Place place(direct);
    QCOMPARE(
        place.value("import os\nclass End:\n    def __reduce__(self): return (os._exit, (3,))\nend = End()\n"
                    + kNames),
        std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    const std::size_t before = openDescriptors();
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    QVERIFY(!missing);
    SG_VERIFY_CONTAINS(missing.error().message, "the code ended the interpreter with exit code 3");
    QCOMPARE(openDescriptors(), before);
    QCOMPARE(place.value("6 * 7"), std::string("42"));
}

void TestSnapshotNames::noNameThatHoldsASecretIsWrittenOut_data()
{
    QTest::addColumn<std::string>("code");
    QTest::newRow("a value") << std::string("x = secret");
    QTest::newRow("a global") << std::string("globals()['n' + secret.replace('-', '_')] = 1");
    QTest::newRow("a module") << std::string("import sys, types\n"
                                             "m = types.ModuleType(secret); sys.modules[secret] = m");
    QTest::newRow("the current folder") << std::string(
        "import os, tempfile\np = tempfile.mkdtemp() + '/' + secret; os.mkdir(p); os.chdir(p)");
    QTest::newRow("a folder of modules") << std::string("import sys\nsys.path.append('/tmp/' + secret)");
}

void TestSnapshotNames::noNameThatHoldsASecretIsWrittenOut()
{
    QFETCH(const std::string, code);
    keepOut("named", "Zq8-name-secret-4711");
    keepOut("as a name", "Zq8_name_secret_4711");
    Place place(true);
    QCOMPARE(place.value("import base64\nsecret = base64.b64decode('WnE4LW5hbWUtc2VjcmV0LTQ3MTE=').decode()\n"
                         + code + "\ndel secret"),
             std::string());
    const auto names = place.store();
    if (names)
        QVERIFY2(!holdsSecret(toJson(*names)), toJson(*names).c_str()); // or it is not there at all
    else
        SG_VERIFY_CONTAINS(names.error().message, "holds a secret");
}

void TestSnapshotNames::othersThanWhatHoldsASecretComeBack()
{
    keepOut("of others", "Zq8-other-secret-4712");
    Place place(true);
    QCOMPARE(
        place.value(
            "import base64, os\n"
            "x = base64.b64decode('WnE4LW90aGVyLXNlY3JldC00NzEy').decode(); also = x\n"
            "os.environ['HERE'] = x; os.environ['THERE'] = 'plain'; big = bytearray(200000) + x.encode()\n"
            "part = [1]; held = [part, x]; y = [part]; z = 5"),
        std::string());
    const auto names = place.store();
    SG_VERIFY_OK(names);
    QVERIFY2(!holdsSecret(toJson(*names)), toJson(*names).c_str());
    const auto missing = sessions::loadNames(*place.link, *names, place.blobs);
    SG_VERIFY_OK(missing);
    std::string all;
    for (const sessions::NamedThing& each : *missing)
        all += each.name + "\n";
    // The text itself came with the first name that holds it.
    for (const char* name :
         { "x (LookupError: it holds something of held", "big (it holds a secret)",
           "held (it holds a secret)", "environment variable HERE of <process> (it holds a secret)",
           "also (it is another name of x" })
        SG_VERIFY_CONTAINS(all, name);
    QCOMPARE(place.value("z, os.environ['THERE'], 'x' in globals(), os.environ.get('HERE')"),
             std::string("(5, 'plain', False, None)"));
}

void TestSnapshotNames::aRunnerThatKnowsNoDescriptorsGetsPieces()
{
    std::size_t bytes = 0;
    Scripted scripted([&](int, ScriptedRunner& runner) {
        runner.send(problemFor(runner.read()));
        takePieces(runner, bytes);
    });
    SG_VERIFY_OK(scripted.load());
    QVERIFY(bytes > kLarge);
}

// As in a sandbox whose kernel hands none over.
void TestSnapshotNames::aRunnerThatGotNoDescriptorGetsPieces()
{
    std::size_t bytes = 0;
    Scripted scripted([&](int, ScriptedRunner& runner) {
        runner.send(answerTo(runner.read(), "awaiting"));
        runner.send(problemFor(runner.read()));
        takePieces(runner, bytes);
    });
    SG_VERIFY_OK(scripted.load());
    QVERIFY(bytes > kLarge);
}

void TestSnapshotNames::aRunnerThatStopsReadingIsNotWaitedForForEver()
{
    const std::size_t before = openDescriptors();
    {
        Scripted scripted([&](int socket, ScriptedRunner& runner) {
            const auto [load, descriptor] = takeDescriptor(socket, runner);
            runner.read(); // until the test is over
        });
        const auto loaded = scripted.load(300ms);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Timeout);
    }
    QCOMPARE(openDescriptors(), before);
}

void TestSnapshotNames::aRunnerThatLeavesMidwayIsAnError()
{
    Scripted scripted([&](int socket, ScriptedRunner& runner) {
        auto [load, descriptor] = takeDescriptor(socket, runner);
        std::string some(65536, '\0');
        QVERIFY(::read(descriptor.get(), some.data(), some.size()) > 0);
        descriptor.reset();
        runner.send(answerTo(load, "done", { { "error", Value::map({ { "message", "it ended" } }) } }));
        runner.read();
    });
    const auto loaded = scripted.load();
    QVERIFY(!loaded);
    SG_VERIFY_CONTAINS(loaded.error().message, "it ended");
}

void TestSnapshotNames::aRunnerThatSaysItReadAllIsNotBelieved()
{
    Scripted scripted([&](int socket, ScriptedRunner& runner) {
        auto [load, descriptor] = takeDescriptor(socket, runner);
        descriptor.reset();
        runner.send(answerTo(load, "loaded", { { "missing", Value::list() } }));
        runner.read();
    });
    const auto loaded = scripted.load();
    QVERIFY(!loaded);
    SG_VERIFY_CONTAINS(loaded.error().message, "stopped reading");
}

void TestSnapshotNames::aLinkThatEndsMidwayIsAnError()
{
    Fd kept; // somebody else in the sandbox holds it open
    Scripted scripted([&](int socket, ScriptedRunner& runner) {
        kept = takeDescriptor(socket, runner).second;
        runner.close();
    });
    const auto loaded = scripted.load(1min);
    QVERIFY(!loaded);
    QCOMPARE(loaded.error().code, Errc::Unavailable);
    SG_VERIFY_CONTAINS(loaded.error().message, "the session's runner has ended");
}

SG_CORE_TEST(TestSnapshotNames)
#include "tst_snapshot_names.moc"
