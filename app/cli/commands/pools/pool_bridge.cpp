#include "app/cli/commands/pools/pool_bridge.h"

#include "app/cli/interrupt_watch.h"
#include "app/cli/queue_option.h"
#include "core/workers/genxai_bridge.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

namespace sg::cli {
namespace {

struct Arguments {
    QueueOption queue;
    std::string from;
    std::string list = "genxai:queue";
    std::int64_t retries = 3;
    bool once = false;
};

int bridge(const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    const auto queue = arguments.queue.choice();
    if (!queue)
        return out.fail(queue.error());
    const auto from = arguments.from.empty() ? Result<workers::QueueAddress>(queue->address)
                                             : workers::parseQueueAddress(arguments.from);
    if (!from)
        return out.fail(from.error());
    workers::Redis source(*from);
    workers::Redis target(queue->address);
    for (workers::Redis* each : { &source, &target })
        if (auto connected = each->connect(); !connected)
            return out.fail(connected.error());
    workers::GenxaiBridge moving(source, target,
                                 { arguments.list, queue->ns, static_cast<int>(arguments.retries) + 1 });
    const auto taken = moving.recover();
    if (!taken)
        return out.fail(taken.error());
    std::int64_t moved = *taken;
    out.text("tasks of " + arguments.list + " go to the roles that their handler_name says. Ctrl+C ends it.");
    std::fflush(stdout);
    std::mutex mutex;
    std::condition_variable_any changed;
    while (!stop.stop_requested()) {
        const auto one = moving.moveOne(std::chrono::seconds(1));
        if (one)
            moved += *one ? 1 : 0;
        if (arguments.once && (!one || !*one)) {
            if (!one)
                return out.fail(one.error());
            break;
        }
        if (!one) { // what it had begun with stays in its list
            out.note(one.error().message);
            std::unique_lock lock(mutex);
            changed.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
            static_cast<void>(moving.recover());
        }
    }
    if (out.json)
        out.document(Value::map({ { "moved", moved } }));
    out.text(counted(moved, "task") + " moved");
    return Done;
}

} // namespace

void addPoolBridge(Verb pool, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = pool.add("bridge", "bring the tasks of a GenXAI queue to the roles that they name");
    arguments->queue.add(verb);
    verb.option("--from", arguments->from, "Redis that has the list (default: that of the queue)");
    verb.option("--list", arguments->list, "its list, RedisQueueBackend's queue_name (default genxai:queue)");
    verb.option("--retries", arguments->retries, "tries after the first, GenXAI's max_retries (default 3)")
        .within(std::int64_t{ 0 }, std::int64_t{ 99 });
    verb.flag("--once", arguments->once, "end when the list is empty");
    verb.onRun([arguments, &shell] { shell.exit = bridge(*arguments, shell.out); });
}

} // namespace sg::cli
