#include "tests/conformance/sandbox_suite_steps.h"
#include "tests/support/require.h"

#include <sstream>
#include <thread>

namespace sg::test {

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

// Empty files take no room that a tmpfs counts, but memory: their number is limited, or the memory is.
void SandboxBackendSuite::survivesFilesWithoutEnd()
{
    if (!m_limitsEnforced)
        SG_SKIP("limits are weak here: no control group counts the memory of files");
    START(sandbox, client, spec());
    START(other, otherClient, spec());
    const RunnerClient::Cell flood = client.run("import os\nos.mkdir('/session/many')\ncount = 0\n"
                                                "while count < 2_000_000:\n"
                                                "    os.close(os.open(f'/session/many/{count}', os.O_CREAT | "
                                                "os.O_WRONLY))\n"
                                                "    count += 1\n",
                                                60s);
    QVERIFY2(flood.status != "ok", "two million files in 64 MiB");
    RUN(beside, otherClient, "open('/session/file', 'w').write('x'); print('well')");
    QCOMPARE(beside, std::string("well\n"));
}

void SandboxBackendSuite::stopsAForkBomb()
{
    if (!m_limitsEnforced && !managesWithoutGroups())
        SG_SKIP("limits are weak here: no control group counts processes");
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
    if (!m_limitsEnforced && !managesWithoutGroups())
        SG_SKIP("limits are weak here: no control group counts memory");
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

// None of which takes much by itself; and files in memory that are mapped.
void SandboxBackendSuite::survivesMemoryOfManyProcesses()
{
    if (!m_limitsEnforced)
        SG_SKIP("limits are weak here: each process has a limit of its own");
    START(sandbox, client, spec());
    START(other, otherClient, spec());
    const RunnerClient::Cell bomb = client.run("import mmap, os, time\n"
                                               "for i in range(40):\n"
                                               "    if os.fork() == 0:\n"
                                               "        hoard = mmap.mmap(-1, 16 << 20)\n"
                                               "        hoard.write(os.urandom(1 << 20) * 16)\n"
                                               "        time.sleep(60); os._exit(0)\n"
                                               "with open('/dev/shm/mapped', 'w+b') as f:\n"
                                               "    f.truncate(512 << 20)\n"
                                               "    pages = mmap.mmap(f.fileno(), 512 << 20)\n"
                                               "    for at in range(0, 512 << 20, 4096): pages[at] = 1\n",
                                               30s);
    QVERIFY2(bomb.status != "ok", "640 MiB were had of 256");
    QVERIFY(sandbox->state() != SandboxEnd::Running || client.run("print('well')").text == "well\n");
    RUN(beside, otherClient, "print('well')");
    QCOMPARE(beside, std::string("well\n"));
}

void SandboxBackendSuite::tellsThatMemoryRanOut()
{
    if (!m_limitsEnforced)
        SG_SKIP("limits are weak here: no control group tells why a process ended");
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

void SandboxBackendSuite::samplesItsUse()
{
    if (!m_limitsEnforced && !managesWithoutGroups())
        SG_SKIP("limits are weak here: no control group tells what is used");
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

} // namespace sg::test
