#include "core/sandbox/seccomp_filter.h"

#include "core/base/hash.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

namespace sg::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the system call filter knows x86-64 and arm64 only"
#endif
constexpr std::uint32_t kX32Bit = 0x40000000; // flag of x86-64's second table of calls

// These calls are refused whatever their arguments.
constexpr long kDenied[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd, // other processes
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl, // kernel keys are not in a namespace
    SYS_bpf,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_unshare,
    SYS_setns, // namespaces
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_quotactl, // mounts
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot, // kernel
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime, // machine
    SYS_syslog,
    SYS_vhangup,
    SYS_lookup_dcookie,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    SYS_move_pages,
    SYS_migrate_pages,
    SYS_mbind,
    SYS_set_mempolicy, // memory of other processes and nodes
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
#endif
};

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
    | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWTIME;

using Program = std::vector<sock_filter>;

sock_filter load(std::size_t offset)
{
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

// Loads the low half of an argument: both architectures are little-endian, and the kernel uses only 32 bits
// of all these arguments.
sock_filter loadArgument(std::size_t index)
{
    return load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

sock_filter jump(std::uint16_t test, std::uint32_t value, std::uint8_t ifTrue, std::uint8_t ifFalse)
{
    return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | test), value, ifTrue, ifFalse);
}

sock_filter give(std::uint32_t action)
{
    return BPF_STMT(BPF_RET | BPF_K, action);
}

sock_filter refuse(int error)
{
    return give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}

// Runs `body` where the call is `number`. Before it, and after it for other calls, the accumulator holds the
// number.
void onCall(Program& program, long number, const Program& body)
{
    program.push_back(
        jump(BPF_JEQ, static_cast<std::uint32_t>(number), 0, static_cast<std::uint8_t>(body.size())));
    program.insert(program.end(), body.begin(), body.end());
}

void checkArchitecture(Program& program)
{
    program.push_back(load(offsetof(seccomp_data, arch)));
    program.push_back(jump(BPF_JEQ, kArchitecture, 1, 0));
    program.push_back(give(SECCOMP_RET_KILL_PROCESS));
    program.push_back(load(offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
    program.push_back(jump(BPF_JGE, kX32Bit, 0, 1));
    program.push_back(refuse(ENOSYS));
#endif
}

// Only families that are useful without a network are allowed: unix, and the internet ones for loopback.
Program socketFamilies()
{
    return { loadArgument(0),
             jump(BPF_JEQ, AF_UNIX, 3, 0),
             jump(BPF_JEQ, AF_INET, 2, 0),
             jump(BPF_JEQ, AF_INET6, 1, 0),
             refuse(EAFNOSUPPORT),
             give(SECCOMP_RET_ALLOW) };
}

} // namespace

std::string seccompFilter()
{
    Program program;
    checkArchitecture(program);
    for (const long number : kDenied)
        onCall(program, number, { refuse(EPERM) });
    onCall(program, SYS_clone,
           { loadArgument(0), jump(BPF_JSET, kNewNamespaces, 0, 1), refuse(EPERM), give(SECCOMP_RET_ALLOW) });
    onCall(program, SYS_clone3,
           { refuse(ENOSYS) }); // its flags are behind a pointer; libc falls back to clone
    onCall(program, SYS_ioctl,
           { loadArgument(1), jump(BPF_JEQ, TIOCSTI, 1, 0), jump(BPF_JEQ, TIOCLINUX, 0, 1), refuse(EPERM),
             give(SECCOMP_RET_ALLOW) });
    onCall(program, SYS_socket, socketFamilies());
    onCall(program, SYS_socketpair, socketFamilies());
    program.push_back(give(SECCOMP_RET_ALLOW));
    return { reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter) };
}

std::string callFilterOption()
{
    utsname machine{};
    ::uname(&machine);
    return std::string(machine.machine) + ':' + toBase64(seccompFilter());
}

} // namespace sg::sandbox
