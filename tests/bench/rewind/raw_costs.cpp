#include "tests/bench/rewind/raw_costs.h"

#include "core/base/child_process.h"
#include "tests/bench/figure_lines.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace sg::bench {
namespace {

constexpr std::size_t kMegabyte = 1U << 20;
constexpr std::size_t kHugePage = 2 * kMegabyte;
constexpr std::size_t kMuch = 200 * kMegabyte;
constexpr std::size_t kLittle = 8 * kMegabyte;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kTouched = 340;
constexpr int kForks = 25;
constexpr int kRounds = 3;

// Memory of its own that this process has written to; null where there is none.
class Memory {
public:
    Memory(std::size_t size, int advice)
        : m_size(size + kHugePage)
        , m_begin(::mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    {
        if (m_begin == MAP_FAILED)
            return;
        (void)::madvise(m_begin, m_size, advice);
        std::memset(m_begin, 1, m_size);
    }
    ~Memory()
    {
        if (m_begin != MAP_FAILED)
            ::munmap(m_begin, m_size);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    [[nodiscard]] volatile char* bytes() const
    {
        return m_begin == MAP_FAILED ? nullptr : static_cast<volatile char*>(m_begin);
    }

private:
    const std::size_t m_size;
    void* const m_begin;
};

double writeAndFlush(const std::filesystem::path& path, const std::string& piece)
{
    const auto begin = steady_clock::now();
    {
        const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        for (std::size_t written = 0; written < kMuch; written += piece.size())
            if (::write(file.get(), piece.data(), piece.size()) < 0)
                return 0;
        if (::fsync(file.get()) != 0)
            return 0;
    }
    const double time = millisecondsSince(begin);
    ::unlink(path.c_str());
    return time;
}

} // namespace

void printForkCosts(const std::string& ids)
{
    const Memory much(kMuch, MADV_HUGEPAGE);
    const Memory little(kLittle, MADV_NOHUGEPAGE);
    if (much.bytes() == nullptr || little.bytes() == nullptr)
        return;
    std::vector<double> forks;
    std::vector<double> touches;
    for (int i = 0; i < kForks; ++i) {
        const auto begin = steady_clock::now();
        const pid_t child = ::fork();
        if (child == 0)
            while (true)
                ::pause();
        if (child < 0)
            return;
        forks.push_back(millisecondsSince(begin));
        ::usleep(1000);
        const auto touching = steady_clock::now();
        for (std::size_t page = 0; page < kTouched; ++page)
            little.bytes()[page * 5 * kPage] = 2;
        touches.push_back(millisecondsSince(touching));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    printFigure(ids + ".fork", median(forks));
    printFigure(ids + ".pages", median(touches));
}

void printMemoryAndDiskCosts(const std::string& ids, const std::filesystem::path& folder)
{
    std::vector<double> touches;
    std::vector<double> writes;
    std::vector<std::unique_ptr<Memory>> held; // or the next round would get the same
    for (int i = 0; i < kRounds; ++i) {
        const auto begin = steady_clock::now();
        held.push_back(std::make_unique<Memory>(kMuch, MADV_HUGEPAGE));
        touches.push_back(millisecondsSince(begin));
        writes.push_back(writeAndFlush(folder / "raw", std::string(kMegabyte, 'x')));
    }
    printFigure(ids + ".memory", median(touches));
    printFigure(ids + ".file", median(writes));
}

} // namespace sg::bench
