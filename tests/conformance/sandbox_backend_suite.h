#pragma once

#include "core/sandbox/sandbox.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace sg::test {

// Every backend must pass these tests, with the real runner in a real sandbox. A backend's test derives from
// this class, says how to make the backend and what it leaves behind, and may add tests of its own.
class SandboxBackendSuite : public QObject {
    Q_OBJECT

public:
    explicit SandboxBackendSuite(std::filesystem::path runnerFolder)
        : m_runnerFolder(std::move(runnerFolder))
    {
    }

protected:
    // The part of the machine (tests/support/parts.txt) that it needs.
    [[nodiscard]] virtual std::string part() const = 0;
    // True where the machine can limit a whole session, by what others than the backend say.
    [[nodiscard]] virtual bool mustLimit() const = 0;
    // True where its sandboxes have limits of their own, and say what they use, where no control group does
    // it.
    [[nodiscard]] virtual bool managesWithoutGroups() const = 0;
    virtual std::unique_ptr<sandbox::SandboxBackend> makeBackend(const std::string& instance) = 0;
    // Containers, control groups, folders of the sandboxes that process started: each by name.
    virtual std::vector<std::string> leftovers(int owner) = 0;

    sandbox::SandboxSpec spec();
    std::unique_ptr<sandbox::Sandbox> started(const sandbox::SandboxSpec& spec);
    [[nodiscard]] const std::filesystem::path& runnerFolder() const { return m_runnerFolder; }
    [[nodiscard]] sandbox::SandboxBackend& backend() { return *m_backend; }

    bool m_limitsEnforced = false;

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();

    void executesCells();
    void runsAsAnOrdinaryUserInsideAndOutside();
    void hasNoRights();
    void hasNoNetwork();
    void writesOnlyWhereItMay();
    void keepsTheKernelsSettingsReadOnly();
    void sharesNothingWithItsNeighbour();
    void leavesOthersWhatTheKernelCountsByUser();
    void stopsAtTheTmpfsQuota();
    void survivesFilesWithoutEnd();
    void stopsAForkBomb();
    void survivesAMemoryBomb();
    void survivesMemoryOfManyProcesses();
    void tellsThatMemoryRanOut();
    void tellsThatTheRunnerEnded();
    void hidesEnvironmentAndPaths();
    void closesInheritedDescriptors();
    void refusesDangerousSystemCalls();
    void bindsFolders();
    void samplesItsUse();
    void endsWhatIgnoresSignals();
    void endsWithItsLastReference();
    void wakesAReaderWhenItEnds();
    void outlivesTheThreadThatStartedIt();
    void leavesNothingBehindAfterTenSessions();
    void diesWithItsOwner();
    void namesAMissingMount();

private:
    const std::filesystem::path m_runnerFolder;
    std::unique_ptr<sandbox::SandboxBackend> m_backend;
    int m_sessions = 0;
};

// Processes of the host whose command line holds the text.
std::vector<int> processesNamed(const std::string& text);

} // namespace sg::test
