#include "core/sessions/manager/remembered_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

using namespace sg;

namespace {

// Counts what is asked of it; starts nothing.
struct CountingBackend final : sandbox::SandboxBackend {
    struct Counts {
        int probes = 0;
        int starts = 0;
        bool isThere = true;
        Errc startFails = Errc::Unavailable;
    };
    explicit CountingBackend(Counts& counts)
        : m_counts(counts)
    {
    }
    Result<sandbox::BackendInfo> probe() override
    {
        ++m_counts.probes;
        if (!m_counts.isThere)
            return Error{ Errc::Unavailable, "install it" };
        return sandbox::BackendInfo{ "counting", "1", "none", true, {}, {} };
    }
    Result<std::unique_ptr<sandbox::Sandbox>> start(const sandbox::SandboxSpec&) override
    {
        ++m_counts.starts;
        return Error{ m_counts.startFails, "start failed" };
    }
    Result<std::vector<sandbox::FoundSandbox>> find() override
    {
        return std::vector<sandbox::FoundSandbox>();
    }
    Result<std::unique_ptr<sandbox::Sandbox>> attach(const sandbox::FoundSandbox&) override
    {
        return Error{ Errc::NotFound, "gone" };
    }
    Result<void> remove(const sandbox::FoundSandbox&) override { return {}; }

private:
    Counts& m_counts;
};

} // namespace

class TestRememberedBackend : public QObject {
    Q_OBJECT

private:
    CountingBackend::Counts m_counts;
    std::unique_ptr<sandbox::SandboxBackend> remembered(Millis validity)
    {
        m_counts = {};
        return sessions::rememberProbe(std::make_unique<CountingBackend>(m_counts), validity);
    }

private Q_SLOTS:
    void probesOnceWhileThatCounts()
    {
        const auto backend = remembered(Millis(600'000));
        for (int i = 0; i < 3; ++i)
            QCOMPARE(backend->probe()->name, std::string("counting"));
        QCOMPARE(m_counts.probes, 1);
    }

    void probesAgainOnceThatIsOver()
    {
        const auto backend = remembered(Millis(0));
        QVERIFY(backend->probe());
        QVERIFY(backend->probe());
        QCOMPARE(m_counts.probes, 2);
    }

    void remembersNoFailure()
    {
        const auto backend = remembered(Millis(600'000));
        m_counts.isThere = false;
        QVERIFY(!backend->probe());
        m_counts.isThere = true;
        QVERIFY(backend->probe());
        QCOMPARE(m_counts.probes, 2);
    }

    void judgesAFailedStartByAnotherProbe()
    {
        const auto backend = remembered(Millis(600'000));
        QVERIFY(backend->probe());
        QTRY_VERIFY((m_counts.isThere = false, !backend->start({}) && m_counts.probes == 2));
        // A backend that was found out just now is not asked again, and the word of the probe counts.
        m_counts.isThere = true;
        QVERIFY(backend->probe());
        QCOMPARE(m_counts.probes, 3);
    }

    void leavesOtherFailuresAsTheyAre()
    {
        const auto backend = remembered(Millis(600'000));
        m_counts.startFails = Errc::InvalidArgument;
        QVERIFY(backend->probe());
        const auto started = backend->start({});
        QCOMPARE(started.error().message, std::string("start failed"));
        QCOMPARE(m_counts.probes, 1);
        QCOMPARE(m_counts.starts, 1);
    }
};

SG_TEST(TestRememberedBackend)
#include "tst_remembered_backend.moc"
