#include "tests/conformance/sandbox_backend_suite.h"

#include "core/base/child_process.h"
#include "tests/conformance/runner_client.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace sg::test {
namespace {

using namespace std::chrono_literals;
using sandbox::Sandbox;
using sandbox::SandboxEnd;
using sandbox::SandboxSpec;

constexpr std::int64_t kMiB = 1 << 20;

std::string readAll(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : " ") + text;
    return all;
}

// Starts a process that no signal but SIGKILL ends and that left its session; its command line holds the
// mark.
std::string spawnDaemon(const std::string& mark)
{
    return "import subprocess, sys\n"
           "subprocess.Popen([sys.executable, '-c', 'import signal, time\\n"
           "for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\\nprint(1, flush=True)\\ntime.sleep(600)', "
           "'"
        + mark + "'], start_new_session=True, stdout=subprocess.PIPE).stdout.readline()\n";
}

std::string uniqueMark()
{
    static int count = 0;
    return "sandglass-mark-" + std::to_string(::getpid()) + '-' + std::to_string(++count);
}

// What the system call filter must refuse; their numbers stand with the test's code.
constexpr const char* kDeniedCalls =
    "ptrace process_vm_readv keyctl add_key bpf userfaultfd perf_event_open io_uring_setup unshare setns "
    "mount open_tree "
    "fsopen clone clone3 kexec_load init_module tiocsti af_alg af_vsock af_netlink";

// A listening socket of the host on 127.0.0.1 and one in the abstract unix namespace.
struct HostServers {
    Fd internet{ ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    Fd abstract{ ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    int port = 0;
    std::string name = uniqueMark();

    HostServers()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        ::bind(internet.get(), reinterpret_cast<sockaddr*>(&address), length);
        ::listen(internet.get(), 1);
        ::getsockname(internet.get(), reinterpret_cast<sockaddr*>(&address), &length);
        port = ntohs(address.sin_port);
        sockaddr_un place{};
        place.sun_family = AF_UNIX;
        std::memcpy(place.sun_path + 1, name.data(), name.size());
        ::bind(abstract.get(), reinterpret_cast<sockaddr*>(&place),
               static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size()));
        ::listen(abstract.get(), 1);
    }
};

} // namespace

std::vector<int> processesNamed(const std::string& text)
{
    std::vector<int> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        const int pid = std::atoi(name.c_str());
        if (pid > 0 && pid != ::getpid() && readAll(entry.path() / "cmdline").find(text) != std::string::npos)
            found.push_back(pid);
    }
    return found;
}

SandboxSpec SandboxBackendSuite::spec()
{
    SandboxSpec spec;
    spec.session = SessionId("suite" + std::to_string(++m_sessions));
    spec.project = "0123abcd";
    spec.runnerFolder = m_runnerFolder;
    spec.limits.memoryBytes = 256 * kMiB;
    spec.limits.tmpfsBytes = 64 * kMiB;
    spec.limits.pids = 64;
    spec.limits.cpus = 1;
    return spec;
}

std::unique_ptr<Sandbox> SandboxBackendSuite::started(const SandboxSpec& spec)
{
    auto sandbox = m_backend->start(spec);
    if (!sandbox)
        qWarning("start: %s", sandbox.error().message.c_str());
    return sandbox ? std::move(*sandbox) : nullptr;
}

#define START(sandbox, client, specification)                                                                \
    const auto sandbox = started(specification);                                                             \
    QVERIFY(sandbox);                                                                                        \
    RunnerClient client(sandbox->stream());                                                                  \
    if (!client.hello())                                                                                     \
    QFAIL(("no answer from the runner: " + sandbox->lastWords()).c_str())

// Executes code that must end well; what it prints stands in `printed`.
#define RUN(printed, client, code)                                                                           \
    const RunnerClient::Cell printed##Cell = client.run(code);                                               \
    if (printed##Cell.status != "ok")                                                                        \
        QFAIL((printed##Cell.status + ": " + printed##Cell.error + printed##Cell.text).c_str());             \
    [[maybe_unused]] const std::string& printed = printed##Cell.text

void SandboxBackendSuite::initTestCase()
{
    m_backend = makeBackend("suite");
    const auto info = m_backend->probe();
    if (!info)
        QSKIP(info.error().message.c_str());
    m_limitsEnforced = info->limitsEnforced;
    QVERIFY(!info->version.empty());
    qInfo("%s; %s; limits %s", info->version.c_str(), info->isolation.c_str(),
          m_limitsEnforced ? "enforced" : "weak");
    for (const std::string& weakness : info->weaknesses)
        qInfo("%s", weakness.c_str());
}

void SandboxBackendSuite::cleanup()
{
    if (m_backend)
        QCOMPARE(joined(leftovers(::getpid())), std::string());
}

void SandboxBackendSuite::cleanupTestCase()
{
    m_backend.reset();
}

void SandboxBackendSuite::executesCells()
{
    START(sandbox, client, spec());
    RUN(out, client, "print(6 * 7)");
    QCOMPARE(out, std::string("42\n"));
    QVERIFY(sandbox->state() == SandboxEnd::Running);
    QVERIFY(!sandbox->name().empty());
}

void SandboxBackendSuite::runsAsAnOrdinaryUserInsideAndOutside()
{
    START(sandbox, client, spec());
    const std::string mark = uniqueMark();
    RUN(out, client,
        spawnDaemon(mark) + "import os\nprint(*os.getresuid(), *os.getresgid(), *os.getgroups())");
    std::istringstream ids(out);
    for (int id = 0; ids >> id;)
        QVERIFY2(id != 0, out.c_str());
    const std::vector<int> outside = processesNamed(mark);
    QCOMPARE(outside.size(), std::size_t(1));
    std::ifstream status("/proc/" + std::to_string(outside.front()) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("Uid:", 0) == 0 || line.rfind("Gid:", 0) == 0)
            QVERIFY2(line.find("\t0") == std::string::npos, line.c_str());
}

void SandboxBackendSuite::hasNoRights()
{
    START(sandbox, client, spec());
    RUN(out, client,
        "for line in open('/proc/self/status'):\n"
        "    if line.startswith(('CapInh', 'CapPrm', 'CapEff', 'CapAmb', 'NoNewPrivs', 'Seccomp:')): "
        "print(line.split()[1])");
    QCOMPARE(out,
             std::string("0000000000000000\n0000000000000000\n0000000000000000\n0000000000000000\n1\n2\n"));
}

void SandboxBackendSuite::hasNoNetwork()
{
    const HostServers servers;
    START(sandbox, client, spec());
    RUN(out, client,
        "import socket, errno, os\n"
        "def attempt(family, kind, address):\n"
        "    s = socket.socket(family, kind); s.settimeout(2)\n"
        "    try: s.connect(address); return 'connected'\n"
        "    except OSError as e: return errno.errorcode.get(e.errno, str(e))\n"
        "print([l.split(':')[0].strip() for l in open('/proc/net/dev').readlines()[2:]])\n"
        "print(attempt(socket.AF_INET, socket.SOCK_STREAM, ('1.1.1.1', 443)))\n"
        "print(attempt(socket.AF_INET, socket.SOCK_DGRAM, ('169.254.169.254', 53)))\n"
        "print(attempt(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', "
            + std::to_string(servers.port) + ")))\nprint(attempt(socket.AF_UNIX, socket.SOCK_STREAM, '\\0"
            + servers.name + "'))\n");
    QCOMPARE(out, std::string("['lo']\nENETUNREACH\nENETUNREACH\nECONNREFUSED\nECONNREFUSED\n"));
}

void SandboxBackendSuite::writesOnlyWhereItMay()
{
    START(sandbox, client, spec());
    RUN(out, client,
        // A mount is writable as a whole or not at all, so /usr need not be walked to its end.
        "import os\nwritable = []\n"
        "apart = ('/proc', '/sys', '/session', '/tmp', '/dev/shm')\n"
        "for top, folders, files in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if os.path.join(top, f) not in apart]\n"
        "    for folder in [top] * (top == '/') + [os.path.join(top, f) for f in folders]:\n"
        "        probe = folder + '/probe'\n"
        "        try: os.close(os.open(probe, os.O_CREAT | os.O_WRONLY)); os.unlink(probe)\n"
        "        except OSError: continue\n"
        "        writable.append(folder)\n"
        "    if top.count('/') > 2: folders.clear()\n"
        "for folder in ('/session', '/tmp', '/dev/shm'):\n"
        "    open(folder + '/probe', 'w').close(); writable.append(folder)\n"
        "print(*sorted(writable))");
    QCOMPARE(out, joined(writableFolders()) + '\n');
}

void SandboxBackendSuite::keepsTheKernelsSettingsReadOnly()
{
    START(sandbox, client, spec());
    RUN(out, client,
        "import os\n"
        "for top, folders, files in os.walk('/proc/sys'):\n"
        "    for name in files:\n"
        "        path = os.path.join(top, name)\n"
        "        try: os.close(os.open(path, os.O_WRONLY))\n"
        "        except OSError: continue\n"
        "        print(path)\n"
        "for path in ('/proc/sysrq-trigger', '/proc/kcore', '/proc/kmsg', '/sys/kernel/uevent_helper', "
        "'/dev/mem', '/dev/kvm'):\n"
        "    try: os.close(os.open(path, os.O_RDWR)); print(path)\n"
        "    except OSError: pass\n");
    QCOMPARE(out, std::string());
}

void SandboxBackendSuite::stopsAtTheTmpfsQuota()
{
    const SandboxSpec wanted = spec();
    START(sandbox, client, wanted);
    RUN(out, client,
        "import errno, os\ntotal = 0\nblock = bytes(1 << 20)\n"
        "for folder in ('/session', '/tmp', '/dev/shm'):\n"
        "    with open(folder + '/fill', 'wb', buffering=0) as f:\n"
        "        try:\n"
        "            while total < 1 << 30: total += f.write(block)\n"
        "        except OSError as e: assert e.errno == errno.ENOSPC, e\n"
        "print(total)\n"
        "for folder in ('/session', '/tmp', '/dev/shm'): os.unlink(folder + '/fill')\n");
    const std::int64_t written = std::atoll(out.c_str());
    QVERIFY2(written <= wanted.limits.tmpfsBytes, out.c_str());
    QVERIFY2(written >= wanted.limits.tmpfsBytes / 2, out.c_str());
    RUN(after, client, "print(1)");
    QCOMPARE(after, std::string("1\n"));
}

void SandboxBackendSuite::stopsAForkBomb()
{
    const SandboxSpec wanted = spec();
    START(sandbox, client, wanted);
    START(other, otherClient, spec());
    RUN(out, client,
        "import os, signal, time\nchildren = []\n"
        "try:\n"
        "    while len(children) < 1000:\n"
        "        pid = os.fork()\n"
        "        if pid == 0:\n"
        "            time.sleep(60); os._exit(0)\n"
        "        children.append(pid)\n"
        "except OSError as e: print(e.errno)\n"
        "print(len(children))\n");
    int error = 0;
    int count = 0;
    std::istringstream(out) >> error >> count;
    QCOMPARE(error, EAGAIN);
    QVERIFY2(count <= wanted.limits.pids, out.c_str());
    QVERIFY2(count >= wanted.limits.pids / 2, out.c_str());
    RUN(beside, otherClient, "import subprocess\nprint(subprocess.run(['true']).returncode)");
    QCOMPARE(beside, std::string("0\n"));
    RUN(after, client, "for pid in children: os.kill(pid, 9); os.waitpid(pid, 0)\nprint('well')");
    QCOMPARE(after, std::string("well\n"));
}

void SandboxBackendSuite::survivesAMemoryBomb()
{
    START(sandbox, client, spec());
    START(other, otherClient, spec());
    const RunnerClient::Cell bomb = client.run("hoard = []\nwhile True: hoard.append(bytearray(16 << 20))");
    QVERIFY2(bomb.status != "ok" && bomb.status.rfind("lost", 0) != 0, bomb.status.c_str());
    RUN(after, client, "hoard = None\nprint('well')");
    QCOMPARE(after, std::string("well\n"));
    RUN(beside, otherClient, "print('well')");
    QCOMPARE(beside, std::string("well\n"));
    if (m_limitsEnforced) {
        QVERIFY(waitFor([&] {
            const auto sample = sandbox->sample();
            return sample && sample->oomKills > 0;
        }));
        QCOMPARE(other->sample()->oomKills, std::int64_t(0));
    }
}

void SandboxBackendSuite::tellsThatMemoryRanOut()
{
    if (!m_limitsEnforced)
        QSKIP("limits are weak here: no control group tells why a process ended");
    const TempDir folder;
    folder.write("start.py",
                 "import sys, os\nhoard = []\n"
                 "while True: hoard.append(bytearray(os.urandom(1 << 20)) * 16)\n");
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    SandboxSpec wanted = spec();
    wanted.runnerFolder = folder.path();
    const auto sandbox = m_backend->start(wanted);
    if (!sandbox) { // the backend waited for its stream in vain
        QVERIFY2(sandbox.error().message.find("memory") != std::string::npos,
                 sandbox.error().message.c_str());
        return;
    }
    QVERIFY(waitFor([&] { return (*sandbox)->state() != SandboxEnd::Running; }));
    QVERIFY((*sandbox)->state() == SandboxEnd::OutOfMemory);
}

void SandboxBackendSuite::tellsThatTheRunnerEnded()
{
    const TempDir folder;
    folder.write("start.py", "import sys\nsys.exit('nothing to do')\n");
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    SandboxSpec wanted = spec();
    wanted.runnerFolder = folder.path();
    const auto sandbox = m_backend->start(wanted);
    if (!sandbox) {
        QVERIFY2(sandbox.error().message.find("nothing to do") != std::string::npos,
                 sandbox.error().message.c_str());
        return;
    }
    QVERIFY(waitFor([&] { return (*sandbox)->state() != SandboxEnd::Running; }));
    QVERIFY((*sandbox)->state() == SandboxEnd::Exited);
    QCOMPARE((*sandbox)->lastWords(), std::string("nothing to do"));
    char byte = 0;
    const auto got = (*sandbox)->stream().read(&byte, 1, 5s);
    QVERIFY(got && *got == 0);
}

void SandboxBackendSuite::hidesEnvironmentAndPaths()
{
    const std::string secret = "secret-" + uniqueMark();
    ::setenv("SANDGLASS_TEST_KEY", secret.c_str(), 1);
    START(sandbox, client, spec());
    ::unsetenv("SANDGLASS_TEST_KEY");
    RUN(out, client,
        "import glob\n"
        "for name in ('environ', 'cmdline'):\n"
        "    for path in glob.glob('/proc/[0-9]*/' + name) + ['/proc/1/' + name]:\n"
        "        try: print(open(path, 'rb').read())\n"
        "        except OSError as e: print(path, e)\n"
        "import os\nprint(os.environ)\n");
    QVERIFY(!out.empty());
    QVERIFY2(out.find(secret) == std::string::npos, out.c_str());
    QVERIFY2(out.find(m_runnerFolder.string()) == std::string::npos, out.c_str());
}

void SandboxBackendSuite::closesInheritedDescriptors()
{
    const TempDir folder;
    const std::filesystem::path file = folder.write("key.txt", "only for the host");
    // No close-on-exec: a descriptor that some library left open.
    const Fd open(::open(file.c_str(), O_RDONLY));
    START(sandbox, client, spec());
    RUN(out, client,
        "import os, glob\n"
        "for path in glob.glob('/proc/[0-9]*/fd/*'):\n"
        "    try: print(path, os.readlink(path))\n"
        "    except OSError: pass\n"
        "for fd in range(3, 256):\n"
        "    try: print(os.pread(fd, 100, 0))\n"
        "    except OSError: pass\n");
    QVERIFY2(out.find("key.txt") == std::string::npos && out.find("only for the host") == std::string::npos,
             out.c_str());
    QVERIFY2(out.find("memfd:") == std::string::npos, out.c_str());
}

void SandboxBackendSuite::refusesDangerousSystemCalls()
{
    START(sandbox, client, spec());
    // Each with arguments that would fail otherwise than with EPERM, ENOSYS or EAFNOSUPPORT if the call got
    // through.
    RUN(out, client,
        "import ctypes, errno, platform\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "x86 = platform.machine() == 'x86_64'\n"
        "calls = {\n"
        "  'ptrace': (101 if x86 else 117, 0, 0, 0, 0), 'process_vm_readv': (310 if x86 else 270, 0, 0, 0, "
        "0, 0, 0),\n"
        "  'keyctl': (250 if x86 else 219, 0, -3, 0), 'add_key': (248 if x86 else 217, 0, 0, 0, 0, 0),\n"
        "  'bpf': (321 if x86 else 280, 99, 0, 0), 'userfaultfd': (323 if x86 else 282, 0x7fffffff),\n"
        "  'perf_event_open': (298 if x86 else 241, 0, 0, 0, 0, 0), 'io_uring_setup': (425, 0, 0),\n"
        "  'unshare': (272 if x86 else 97, 0x10000000), 'setns': (308 if x86 else 268, -1, 0),\n"
        "  'mount': (165 if x86 else 40, 0, 0, 0, 0, 0), 'open_tree': (428, -1, 0, 0), 'fsopen': (430, 0, "
        "0),\n"
        "  'clone': (56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0), 'clone3': (435, 0, 0),\n"
        "  'kexec_load': (246 if x86 else 104, 0, 0, 0, 0), 'init_module': (175 if x86 else 105, 0, 0, 0),\n"
        "  'tiocsti': (16 if x86 else 29, 0, 0x5412, 0), 'af_alg': (41 if x86 else 198, 38, 5, 0),\n"
        "  'af_vsock': (41 if x86 else 198, 40, 1, 0), 'af_netlink': (41 if x86 else 198, 16, 3, 0) }\n"
        "for name in '"
            + std::string(kDeniedCalls)
            + "'.split():\n"
              "    ctypes.set_errno(0)\n"
              "    result = libc.syscall(*[ctypes.c_long(n) for n in calls[name]])\n"
              "    if name in ('clone',) and result == 0: import os; os._exit(0)\n"
              "    error = errno.errorcode.get(ctypes.get_errno(), '?')\n"
              "    if result != -1 or error not in ('EPERM', 'ENOSYS', 'EAFNOSUPPORT'): print(name, result, "
              "error)\n"
              "import threading, subprocess, socket\n"
              "t = threading.Thread(target=lambda: print('thread')); t.start(); t.join()\n"
              "print(subprocess.run(['echo', 'child'], capture_output=True, text=True).stdout, end='')\n"
              "socket.socketpair(); socket.socket()\n");
    QCOMPARE(out, std::string("thread\nchild\n"));
}

void SandboxBackendSuite::bindsFolders()
{
    const TempDir folder;
    folder.write("session/old.txt", "from before");
    folder.write("data/table.csv", "a,b\n1,2\n");
    if (::geteuid() == 0) // like a user's own home: nobody else may enter
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
    SandboxSpec wanted = spec();
    wanted.sessionFolder = folder / "session";
    wanted.mounts = { { folder / "data", "/data", true } };
    {
        START(sandbox, client, wanted);
        RUN(out, client,
            "import os\nprint(open('/session/old.txt').read(), open('/data/table.csv').read(), end='')\n"
            "open('/session/new.txt', 'w').write('from inside')\n"
            "os.unlink('/session/old.txt')\n"
            "try: open('/data/new.txt', 'w')\n"
            "except OSError as e: print(e.errno)\n");
        QCOMPARE(out, std::string("from before a,b\n1,2\n30\n"));
    }
    QCOMPARE(readAll(folder / "session/new.txt"), std::string("from inside"));
    QVERIFY(!std::filesystem::exists(folder / "session/old.txt"));
}

void SandboxBackendSuite::samplesItsUse()
{
    const SandboxSpec wanted = spec();
    START(sandbox, client, wanted);
    const auto before = sandbox->sample();
    QVERIFY2(before, before ? "" : before.error().message.c_str());
    QCOMPARE(before->cpuPercent, 0.0);
    RUN(out, client,
        "import time\nkept = bytearray(b'x') * (64 << 20)\nend = time.process_time() + 0.8\n"
        "while time.process_time() < end: pass\nprint('done')");
    sandbox::ResourceSample after;
    QVERIFY(waitFor([&] { // an engine may tell once a second only
        const auto sample = sandbox->sample();
        after = sample ? *sample : after;
        return after.cpuSeconds - before->cpuSeconds > 0.5 && after.memoryBytes > 64 * kMiB;
    }));
    QVERIFY(after.pids >= 1);
    QCOMPARE(after.pidsLimit, wanted.limits.pids);
    QCOMPARE(after.memoryLimit, m_limitsEnforced ? wanted.limits.memoryBytes : 0);
    QVERIFY(after.memoryBytes < wanted.limits.memoryBytes);
}

void SandboxBackendSuite::endsWhatIgnoresSignals()
{
    START(sandbox, client, spec());
    const std::string mark = uniqueMark();
    RUN(out, client, spawnDaemon(mark) + "print('there')");
    QCOMPARE(processesNamed(mark).size(), std::size_t(1));
    std::thread stopper([&] { // stops all it can reach, the interpreter with it
        (void)client.run(
            "import os, signal\nos.kill(-1, signal.SIGSTOP)\nos.kill(os.getpid(), signal.SIGSTOP)", 2s);
    });
    stopper.join();
    const auto begin = std::chrono::steady_clock::now();
    sandbox->end();
    QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
    QVERIFY(processesNamed(mark).empty());
    QVERIFY(sandbox->state() == SandboxEnd::Stopped);
    sandbox->end();
    QVERIFY(!sandbox->sample());
}

void SandboxBackendSuite::endsWithItsLastReference()
{
    const std::string mark = uniqueMark();
    {
        START(sandbox, client, spec());
        RUN(out, client, spawnDaemon(mark) + "print('there')");
        QCOMPARE(processesNamed(mark).size(), std::size_t(1));
    }
    QVERIFY(processesNamed(mark).empty());
}

void SandboxBackendSuite::wakesAReaderWhenItEnds()
{
    START(sandbox, client, spec());
    std::string answer;
    std::thread reader([&] {
        char byte = 0;
        const auto got = sandbox->stream().read(&byte, 1, 30s);
        answer = got ? std::to_string(*got) : got.error().message;
    });
    sandbox->end();
    reader.join();
    QCOMPARE(answer, std::string("0"));
    QVERIFY(!sandbox->stream().write("x"));
}

void SandboxBackendSuite::outlivesTheThreadThatStartedIt()
{
    std::unique_ptr<Sandbox> sandbox;
    std::thread([&] { sandbox = started(spec()); }).join();
    QVERIFY(sandbox);
    RunnerClient client(sandbox->stream());
    QVERIFY(client.hello());
    RUN(out, client, "print('here')");
    QCOMPARE(out, std::string("here\n"));
}

void SandboxBackendSuite::leavesNothingBehindAfterTenSessions()
{
    std::vector<double> firstCell;
    for (int count = 0; count < 10; ++count) {
        const auto begin = std::chrono::steady_clock::now();
        START(sandbox, client, spec());
        RUN(out, client, "print(1)");
        firstCell.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        if (count == 9) {
            std::vector<double> trips;
            for (int trip = 0; trip < 200; ++trip) {
                const auto sent = std::chrono::steady_clock::now();
                RUN(again, client, "1");
                trips.push_back(
                    std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - sent)
                        .count());
            }
            std::sort(trips.begin(), trips.end());
            qInfo("cell round trip %.2f ms (median of 200)", trips[100]);
        }
        sandbox->end();
        QCOMPARE(joined(leftovers(::getpid())), std::string());
    }
    std::sort(firstCell.begin(), firstCell.end());
    qInfo("start to first cell %.0f ms (median of 10), %.0f ms at most", firstCell[5], firstCell[9]);
}

void SandboxBackendSuite::diesWithItsOwner()
{
#ifdef __SANITIZE_THREAD__
    QSKIP("the thread sanitizer cannot follow threads of a forked process");
#endif
    const std::string mark = uniqueMark();
    SandboxSpec wanted = spec();
    wanted.orphanTimeout = 1s;
    int ready[2];
    QCOMPARE(::pipe2(ready, O_CLOEXEC), 0);
    const pid_t owner = ::fork();
    if (owner == 0) {
        const auto own = makeBackend("owner");
        auto sandbox = own->start(wanted);
        if (!sandbox)
            ::_exit(1);
        RunnerClient client((*sandbox)->stream());
        const bool spawned = client.hello() && client.run(spawnDaemon(mark)).status == "ok";
        [[maybe_unused]] const ssize_t told = ::write(ready[1], spawned ? "y" : "n", 1);
        ::pause();
    }
    ::close(ready[1]);
    char answer = 0;
    QCOMPARE(::read(ready[0], &answer, 1), ssize_t(1));
    ::close(ready[0]);
    QCOMPARE(answer, 'y');
    QCOMPARE(processesNamed(mark).size(), std::size_t(1));
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    QVERIFY(waitFor([&] { return processesNamed(mark).empty(); }, 20s));
    // What the dead owner could not remove goes with the next sandbox of another.
    QVERIFY(makeBackend("next")->probe());
    QVERIFY(waitFor([&] { return leftovers(owner).empty(); }, 60s));
}

void SandboxBackendSuite::namesAMissingMount()
{
    SandboxSpec wanted = spec();
    wanted.mounts = { { "/nowhere/at all", "/data", true } };
    const auto sandbox = m_backend->start(wanted);
    QVERIFY(!sandbox);
    QVERIFY2(sandbox.error().message.find("/nowhere/at all") != std::string::npos,
             sandbox.error().message.c_str());
}

} // namespace sg::test
