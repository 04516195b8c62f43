#include "core/sandbox/docker/socket_folder.h"
#include "core/sandbox/owner_process.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

using namespace sg;
using namespace sg::sandbox;

namespace {

Fd listenOn(const std::filesystem::path& path)
{
    Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0
        || ::listen(socket.get(), 8) != 0)
        socket.reset();
    return socket;
}

} // namespace

// Everything in the folder may have been put there by code in the sandbox.
class TestSocketFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectsToItsRunnerOnly();
    void followsNoLink();
    void takesNothingButASocket();
    void waitsForASocket();
    void aSealedOneIsOutOfReach();
    void isGoneWithItsOwner();
    void adoptsItsOwnKindOnly();
    void removesWhatDeadProcessesLeft();
    void fitsASocketAddress();
};

void TestSocketFolder::connectsToItsRunnerOnly()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    const Fd listener = listenOn(folder->path() / "runner.sock");
    QVERIFY(listener.isOpen());
    QVERIFY(folder->connect(::getpid()));
    const auto other = folder->connect(::getpid() + 1);
    QVERIFY(!other);
    QVERIFY(other.error().code == Errc::PermissionDenied);
}

void TestSocketFolder::followsNoLink()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    const test::TempDir elsewhere;
    const Fd listener = listenOn(elsewhere / "host.sock");
    std::filesystem::create_symlink(elsewhere / "host.sock", folder->path() / "runner.sock");
    const auto connected = folder->connect(::getpid());
    QVERIFY(!connected);
    QVERIFY2(connected.error().code == Errc::PermissionDenied, connected.error().message.c_str());
}

void TestSocketFolder::takesNothingButASocket()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    QCOMPARE(::mkfifo((folder->path() / "runner.sock").c_str(), 0600), 0); // opening one would block
    const auto connected = folder->connect(::getpid());
    QVERIFY(!connected);
    QVERIFY(connected.error().code == Errc::PermissionDenied);
}

void TestSocketFolder::waitsForASocket()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    QVERIFY(folder->connect(::getpid()).error().code == Errc::NotFound);
    Fd listener = listenOn(folder->path() / "runner.sock");
    listener.reset();
    QVERIFY(folder->connect(::getpid()).error().code == Errc::Unavailable);
}

void TestSocketFolder::aSealedOneIsOutOfReach()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    const std::filesystem::path shared = SocketFolder::shared(folder->path());
    const Fd listener = listenOn(shared / "runner.sock");
    QVERIFY(folder->connect(::getpid()));
    const Fd seen(::open(shared.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)); // as a container does
    const auto sealed = folder->seal();
    QVERIFY2(sealed, sealed ? "" : sealed.error().message.c_str());
    QVERIFY(::openat(seen.get(), "fill", O_CREAT | O_WRONLY | O_CLOEXEC, 0600) < 0);
    QVERIFY(::unlinkat(seen.get(), "runner.sock", 0) < 0);
    QVERIFY(folder->connect(::getpid()));
    QVERIFY(SocketFolder::adopt(folder->path())->connect(::getpid()));
}

void TestSocketFolder::isGoneWithItsOwner()
{
    std::filesystem::path path;
    std::filesystem::path kept;
    {
        auto folder = SocketFolder::create(::geteuid(), ::getegid());
        auto other = SocketFolder::create(::geteuid(), ::getegid());
        QVERIFY(folder && other);
        path = folder->path();
        kept = other->path();
        QVERIFY(path != kept);
        QVERIFY(std::filesystem::is_directory(path));
        other->release();
    }
    QVERIFY(!std::filesystem::exists(path));
    QVERIFY(std::filesystem::exists(kept));
    const auto adopted = SocketFolder::adopt(kept);
    QVERIFY(adopted);
}

void TestSocketFolder::adoptsItsOwnKindOnly()
{
    const test::TempDir elsewhere;
    for (const std::filesystem::path& path :
         { elsewhere.path(), std::filesystem::path("/"), std::filesystem::path() })
        QVERIFY(!SocketFolder::adopt(path)); // its end would remove the folder
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    const std::filesystem::path link = folder->path().parent_path() / "link";
    std::filesystem::create_directory_symlink(elsewhere.path(), link);
    QVERIFY(!SocketFolder::adopt(link));
    std::filesystem::remove(link);
}

void TestSocketFolder::removesWhatDeadProcessesLeft()
{
    const auto own = SocketFolder::create(::geteuid(), ::getegid());
    OwnerProcess gone = ownProcess();
    gone.boot = "00000000";
    const std::filesystem::path base = own->path().parent_path();
    const std::filesystem::path stale = base / (ownerMark(gone) + "-1");
    const std::filesystem::path used = base / (ownerMark(gone) + "-2");
    std::filesystem::create_directory(stale);
    std::filesystem::create_directory(used);
    const std::filesystem::path ofAnotherEngine = base / (ownerMark(gone) + "-3");
    std::filesystem::create_directory(ofAnotherEngine);
    Fd listener = listenOn(ofAnotherEngine / "runner.sock");
    for (int i = 0; i < 5; ++i) // it takes no connections: a paused one
        removeStaleSocketFolders({ used.string() });
    QVERIFY(!std::filesystem::exists(stale));
    QVERIFY(std::filesystem::exists(used));
    QVERIFY(std::filesystem::exists(own->path()));
    QVERIFY(std::filesystem::exists(ofAnotherEngine));
    listener.reset();
    removeStaleSocketFolders({ used.string() });
    QVERIFY(!std::filesystem::exists(ofAnotherEngine));
    std::filesystem::remove(used);
}

void TestSocketFolder::fitsASocketAddress()
{
    const auto folder = SocketFolder::create(::geteuid(), ::getegid());
    QVERIFY((folder->path() / "runner.sock").string().size() < sizeof(sockaddr_un::sun_path));
}

SG_CORE_TEST(TestSocketFolder)
#include "tst_socket_folder.moc"
