// Looking at a file and replacing it is one step: nobody else who replaces comes between.

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/file_replacing.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <fcntl.h>
#include <sys/file.h>

#include <atomic>
#include <thread>

using namespace sg;

namespace {

constexpr std::size_t kLimit = 1000;

Result<bool> always(const std::optional<std::string>&)
{
    return true;
}

std::ptrdiff_t entriesIn(const std::filesystem::path& folder)
{
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

// By this process.
std::ptrdiff_t timesOpen(const std::filesystem::path& path)
{
    std::error_code gone; // what was closed meanwhile
    std::ptrdiff_t times = 0;
    for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd"))
        times += std::filesystem::read_symlink(open.path(), gone) == path ? 1 : 0;
    return times;
}

} // namespace

class TestFileReplacing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatStandsThereIsSeen()
    {
        const test::TempDir folder;
        std::vector<std::optional<std::string>> seen;
        for (const char* text : { "one", "two", "three" }) {
            const auto replaced = replaceFile(folder / "a", text, kLimit, [&](const auto& there) {
                seen.push_back(there);
                return Result<bool>(true);
            });
            SG_VERIFY_OK(replaced);
            QVERIFY(*replaced);
        }
        QVERIFY(seen == (std::vector<std::optional<std::string>>{ std::nullopt, "one", "two" }));
        QCOMPARE(*readFile(folder / "a"), std::string("three"));
    }

    void aRefusalLeavesTheFileAndNothingElse()
    {
        const test::TempDir folder;
        const auto file = folder.write("a", "theirs");
        const auto left = replaceFile(file, "mine", kLimit, [](const auto&) { return Result<bool>(false); });
        SG_VERIFY_OK(left);
        QVERIFY(!*left);
        const auto refused = replaceFile(file, "mine", kLimit, [](const auto&) -> Result<bool> {
            return Error{ Errc::Conflict, "no" };
        });
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::Conflict);
        QVERIFY(!replaceFile(file, "mine", 3, always)); // longer than what is looked at
        QCOMPARE(*readFile(file), std::string("theirs"));
        QCOMPARE(entriesIn(folder.path()), std::ptrdiff_t(1));
    }

    void waitsForWhoIsAtItAlsoThroughALink()
    {
        const test::TempDir folder;
        const test::TempDir elsewhere;
        const auto file = folder.write("a", "theirs");
        std::filesystem::create_symlink(file, elsewhere / "link");
        const Fd other(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        QCOMPARE(::flock(other.get(), LOCK_EX), 0);
        std::atomic<bool> isLetGo = false;
        bool cameAfter = false;
        std::thread writer([&] {
            (void)replaceFile(elsewhere / "link", "mine", kLimit, [&](const auto&) {
                cameAfter = isLetGo;
                return Result<bool>(true);
            });
        });
        // It stands at the lock when it has the folder open beside us.
        const bool stands = test::waitFor([&] { return timesOpen(folder.path()) == 2; });
        isLetGo = true;
        ::flock(other.get(), LOCK_UN);
        writer.join();
        QVERIFY(stands);
        QVERIFY(cameAfter);
        QCOMPARE(*readFile(file), std::string("mine"));
        QVERIFY(std::filesystem::is_symlink(elsewhere / "link"));
    }
};

SG_TEST(TestFileReplacing)
#include "tst_file_replacing.moc"
