#include "core/base/child_process.h"
#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/writable_places.h"
#include "tests/conformance/sandbox_suite_steps.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sg::test {
namespace {

// The system call filter must refuse these; their numbers stand with the test's code.
constexpr const char* kDeniedCalls =
    "ptrace process_vm_readv process_vm_writev pidfd_getfd mknod keyctl add_key bpf userfaultfd "
    "perf_event_open io_uring_setup unshare setns "
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
        static_cast<void>(::bind(internet.get(), reinterpret_cast<sockaddr*>(&address), length));
        ::listen(internet.get(), 1);
        ::getsockname(internet.get(), reinterpret_cast<sockaddr*>(&address), &length);
        port = ntohs(address.sin_port);
        sockaddr_un place{};
        place.sun_family = AF_UNIX;
        std::memcpy(place.sun_path + 1, name.data(), name.size());
        static_cast<void>(::bind(abstract.get(), reinterpret_cast<sockaddr*>(&place),
                                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())));
        ::listen(abstract.get(), 1);
    }
};

} // namespace

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
        "print(line.split()[1])\n"
        "import resource; print(resource.getrlimit(resource.RLIMIT_CORE))");
    QCOMPARE(out,
             std::string("0000000000000000\n0000000000000000\n0000000000000000\n0000000000000000\n1\n2\n"
                         "(0, 0)\n"));
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
    SandboxSpec wanted = spec();
    wanted.dataTmpfs = true;
    wanted.secrets = true;
    START(sandbox, client, wanted);
    RUN(out, client,
        // A mount is writable as a whole or not at all, so /usr need not be walked to its end.
        "import os\nfound = {}\n"
        "def look(folder):\n"
        "    probe = os.path.join(folder, 'probe')\n"
        "    try: os.close(os.open(probe, os.O_CREAT | os.O_WRONLY)); os.unlink(probe)\n"
        "    except OSError: return\n"
        "    space = os.statvfs(folder)\n"
        "    found[folder] = (space.f_blocks * space.f_frsize, space.f_flag & 6 == 6)\n" // ST_NOSUID,
                                                                                         // ST_NODEV
        "mounts = [line.split()[4] for line in open('/proc/self/mountinfo')]\n"
        "for mount in mounts: look(mount)\n"
        "for top, folders, files in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if os.path.join(top, f) not in ('/proc', '/sys', *found)]\n"
        "    for folder in folders: look(os.path.join(top, folder))\n"
        "    if top.count('/') > 2: folders.clear()\n"
        "for folder in sorted(found): print(folder, *found[folder])");
    std::vector<sandbox::WritablePlace> places = sandbox::writablePlaces(wanted);
    std::ranges::sort(places, {}, &sandbox::WritablePlace::path);
    constexpr std::int64_t kPage = 4096;
    std::string expected;
    for (const sandbox::WritablePlace& place : places)
        expected += place.path + ' ' + std::to_string((place.size + kPage - 1) / kPage * kPage) + " True\n";
    QCOMPARE(out, expected);
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
        "  'process_vm_writev': (311 if x86 else 271, 0, 0, 0, 0, 0, 0), 'pidfd_getfd': (438, -1, 0, 0),\n"
        "  'mknod': (259 if x86 else 33, -100, ctypes.c_char_p(b'/tmp/memory'), 0o20666, 0x101),\n"
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
              "    result = libc.syscall(*[ctypes.c_long(n) if isinstance(n, int) else n for n in "
              "calls[name]])\n"
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

// By none of the ways in which processes of one machine usually meet.
void SandboxBackendSuite::sharesNothingWithItsNeighbour()
{
    START(first, one, spec());
    START(second, other, spec());
    const std::string mark = uniqueMark();
    RUN(left, one,
        "import ctypes, os, socket\nmark = '" + mark
            + "'\nlibc = ctypes.CDLL(None)\n"
              "for folder in ('/session', '/tmp', '/dev/shm'): open(folder + '/' + mark, 'w').close()\n"
              "server = socket.socket(socket.AF_UNIX); server.bind('\\0' + mark); server.listen()\n"
              "segment = libc.shmget(4711, 4096, 0o1666)\n"
              "queue = libc.msgget(4711, 0o1666)\n"
              "tcp = socket.socket(); tcp.bind(('127.0.0.1', 4711)); tcp.listen()\nprint(segment >= 0)");
    QCOMPARE(left, std::string("True\n"));
    RUN(found, other,
        "import ctypes, glob, os, socket\nmark = '" + mark
            + "'\nlibc = ctypes.CDLL(None)\n"
              "print([folder for folder in ('/session', '/tmp', '/dev/shm') if os.path.exists(folder + '/' + "
              "mark)])\n"
              "def reaches(family, address):\n"
              "    s = socket.socket(family); s.settimeout(1)\n"
              "    try: s.connect(address); return True\n"
              "    except OSError: return False\n"
              "print(reaches(socket.AF_UNIX, '\\0' + mark), reaches(socket.AF_INET, ('127.0.0.1', 4711)))\n"
              "print(libc.shmget(4711, 4096, 0), libc.msgget(4711, 0))\n"
              "print(os.uname().nodename, len(glob.glob('/proc/[0-9]*')) < 20)\n");
    QCOMPARE(found, std::string("[]\nFalse False\n-1 -1\nsandglass True\n"));
}

// Descriptors in flight, inotify instances and memory of pipes: of one user, so of all sandboxes and programs
// that are that user.
void SandboxBackendSuite::leavesOthersWhatTheKernelCountsByUser()
{
    START(first, greedy, spec());
    START(second, other, spec());
    RUN(taken, greedy,
        "import ctypes, fcntl, os, socket\nlibc = ctypes.CDLL(None)\nnull = os.open('/dev/null', "
        "os.O_RDONLY)\n"
        "held = []\ndef all_of(take):\n    try:\n        while len(held) < 20000: held.append(take())\n"
        "    except OSError: pass\n"
        "one, end = socket.socketpair()\n"
        "def send(): socket.send_fds(one, [b'x'], [null] * 250, socket.MSG_DONTWAIT)\n"
        "all_of(send); sent = len(held) * 250\n"
        "def watch():\n    fd = libc.inotify_init()\n    if fd < 0: raise OSError\n    return fd\n"
        "before = len(held); all_of(watch); watches = len(held) - before\n"
        "def pipe():\n    ends = os.pipe(); fcntl.fcntl(ends[0], 1031, 1 << 20); return ends\n"
        "all_of(pipe)\nprint(sent > 0, watches > 0)");
    QCOMPARE(taken, std::string("True True\n"));
    RUN(left, other,
        "import ctypes, os, socket\nlibc = ctypes.CDLL(None)\n"
        "one, end = socket.socketpair()\n"
        "null = os.open('/dev/null', os.O_RDONLY)\n"
        "try: socket.send_fds(one, [b'x'], [null]); print('sent')\n"
        "except OSError as e: print(e)\n"
        "print(libc.inotify_init() >= 0)");
    if (::geteuid() == 0) // else it is the same user's code, as low a limit as it has
        QVERIFY2(left.starts_with("sent\n"), left.c_str());
    QVERIFY2(left.ends_with("True\n"), left.c_str());
    // Snapshots go on in both: the runner hands the interpreter a descriptor for each.
    for (RunnerClient* client : { &greedy, &other })
        QCOMPARE(client->ask({ { "op", "snapshot" }, { "snapshot", "s" } })["asleep"], Value(true));
    // And this machine's user has what it had.
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    const rlimit usual{ std::min<rlim_t>(1024, files.rlim_max), files.rlim_max };
    ::setrlimit(RLIMIT_NOFILE, &usual);
    std::array<int, 2> ends{};
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    sandbox::DescriptorStream ours{ Fd(ends[0]) };
    const Fd theirs(ends[1]);
    const auto handed = ours.writeWith("x", theirs.get());
    ::setrlimit(RLIMIT_NOFILE, &files);
    SG_VERIFY_OK(handed);
    const Fd watch(::inotify_init1(IN_CLOEXEC));
    QVERIFY(watch.isOpen());
}

} // namespace sg::test
