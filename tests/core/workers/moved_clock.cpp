// A library for LD_PRELOAD: the time of day is off by the microseconds that stand, as an int64, in the file
// that SG_MOVED_CLOCK names, and changes with them. (libfaketime and jemalloc, which Redis uses, wait for one
// another.)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

const volatile std::int64_t* offset()
{
    static const volatile std::int64_t* const found = [] {
        const char* file = ::getenv("SG_MOVED_CLOCK"); // NOLINT(concurrency-mt-unsafe): at the first call
        const int fd = file == nullptr ? -1 : ::open(file, O_RDONLY | O_CLOEXEC);
        void* mapped =
            fd < 0 ? MAP_FAILED : ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, fd, 0);
        static const std::int64_t none = 0;
        return mapped == MAP_FAILED ? &none : static_cast<const std::int64_t*>(mapped);
    }();
    return found;
}

} // namespace

extern "C" int gettimeofday(timeval* time, void* zone) noexcept
{
    const long done = ::syscall(SYS_gettimeofday, time, zone);
    if (done == 0 && time != nullptr) {
        const std::int64_t moved = time->tv_sec * std::int64_t(1000000) + time->tv_usec + *offset();
        time->tv_sec = moved / 1000000;
        time->tv_usec = moved % 1000000;
    }
    return static_cast<int>(done);
}
