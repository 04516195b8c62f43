#include "core/sandbox/egress/name_lookup.h"

#include "core/base/child_process.h"
#include "core/sandbox/egress/waiting_socket.h"

#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace sg::sandbox::egress {
namespace {

// Shared with the resolver's thread, which may finish after nobody waits any more.
struct Lookup {
    Fd done{ ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
    std::mutex mutex;
    // Guarded by mutex:
    int failure = EAI_AGAIN;
    std::vector<FoundAddress> found;
};

void resolve(const HostPort& place, bool isNumeric, Lookup& into)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0);
    addrinfo* list = nullptr;
    const int failure = ::getaddrinfo(place.host.c_str(), std::to_string(place.port).c_str(), &hints, &list);
    {
        const std::lock_guard lock(into.mutex);
        into.failure = failure;
        for (const addrinfo* each = failure == 0 ? list : nullptr; each != nullptr; each = each->ai_next) {
            FoundAddress one;
            std::memcpy(&one.address, each->ai_addr, each->ai_addrlen);
            one.size = each->ai_addrlen;
            into.found.push_back(one);
        }
    }
    if (failure == 0)
        ::freeaddrinfo(list);
    const std::uint64_t one = 1;
    (void)!::write(into.done.get(), &one, sizeof one);
}

// Resolves on a thread of its own, as a resolver cannot be stopped.
bool resolveApart(const HostPort& place, const std::shared_ptr<Lookup>& lookup, const LookupCount& underWay)
{
    if (underWay->fetch_add(1) >= kMostLookups) {
        --*underWay;
        return false;
    }
    try {
        std::thread([place, lookup, underWay] {
            resolve(place, false, *lookup);
            --*underWay;
        }).detach();
        return true;
    } catch (const std::system_error&) {
        --*underWay;
        return false;
    }
}

} // namespace

Result<std::vector<FoundAddress>> lookUp(const HostPort& place, int stop, SteadyTime deadline,
                                         const LookupCount& underWay)
{
    const auto lookup = std::make_shared<Lookup>();
    if (place.isAddress)
        resolve(place, true, *lookup);
    else if (!resolveApart(place, lookup, underWay))
        return Error{ Errc::LimitExceeded,
                      place.host + " is not looked up: too many names of this session are" };
    if (auto waited = waitFor(lookup->done.get(), POLLIN, stop, deadline); !waited)
        return std::move(waited.error()).during("look up " + place.host);
    const std::lock_guard lock(lookup->mutex);
    if (lookup->failure != 0)
        return Error{ Errc::NotFound, place.host + ": " + ::gai_strerror(lookup->failure) };
    return std::move(lookup->found);
}

} // namespace sg::sandbox::egress
