#include "app/jq_helper/confine.h"

#include "core/expressions/helper_protocol.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <vector>

namespace sg::jq_helper {

namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "state the audit architecture of this processor"
#endif

constexpr int kAllowed[] = {
    SYS_read,         SYS_write,      SYS_brk,          SYS_mmap,           SYS_munmap,
    SYS_mremap,       SYS_mprotect,   SYS_madvise,      SYS_futex,          SYS_clock_gettime,
    SYS_gettimeofday, SYS_setitimer,  SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction,
    SYS_getpid,       SYS_gettid,     SYS_getrandom,    SYS_sigaltstack,    SYS_sched_yield,
    SYS_exit,         SYS_exit_group,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SYS_close,        SYS_fstat,      SYS_newfstatat,   SYS_readlink,       SYS_openat,
    SYS_getrlimit,    SYS_prlimit64,  SYS_clone,        SYS_clone3,
#endif
};

bool limit(int resource, rlim_t value)
{
    const rlimit both{ value, value };
    return ::setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &both) == 0;
}

sock_filter statement(unsigned code, unsigned value)
{
    return { static_cast<unsigned short>(code), 0, 0, value };
}

// Other calls fail with EPERM, so that libc's own attempts (such as to read a time zone file) use their
// fallback; abort(), which cannot send a signal, ends in an illegal instruction.
bool filterCalls()
{
    std::vector<sock_filter> program{
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        { BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture },
        statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
    for (const int call : kAllowed) {
        program.push_back({ BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(call) });
        program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    sock_fprog filter{ static_cast<unsigned short>(program.size()), program.data() };
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

} // namespace

bool confine(std::size_t memoryBytes)
{
    if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || ::chdir("/") != 0)
        return false;
    bool limited = limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, expressions::kHelperDescriptor + 1)
        && limit(RLIMIT_FSIZE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limited =
        limited && limit(RLIMIT_AS, memoryBytes); // a sanitizer's shadow memory needs terabytes of addresses
#else
    static_cast<void>(memoryBytes);
#endif
    return limited && filterCalls();
}

} // namespace sg::jq_helper
