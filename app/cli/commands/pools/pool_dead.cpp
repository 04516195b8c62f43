#include "app/cli/commands/pools/pool_dead.h"

#include "app/cli/commands/pools/open_pools.h"
#include "app/cli/queue_option.h"
#include "core/workers/dead_letters.h"

#include <memory>
#include <string>

namespace sg::cli {
namespace {

using workers::DeadWork;

struct Arguments {
    QueueOption queue;
    std::string role;
    std::string job;
    std::string why;
    std::int64_t last = 50;
    bool all = false;
};

int dead(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    const workers::QueueName queue{ opened.queue.ns, arguments.role };
    const auto inAll = workers::countDeadLetters(opened.redis, queue);
    if (!inAll)
        return out.fail(inAll.error());
    // One more tells whether there are more.
    auto letters = workers::deadLetters(opened.redis, queue, { arguments.why }, arguments.last + 1);
    if (!letters)
        return out.fail(letters.error());
    const bool isCut = static_cast<std::int64_t>(letters->size()) > arguments.last;
    if (isCut)
        letters->resize(static_cast<std::size_t>(arguments.last));
    ValueList all;
    for (const workers::DeadLetter& letter : *letters) {
        all.push_back(Value::map({ { "job", letter.job },
                                   { "why", letter.why },
                                   { "attempts", letter.attempts },
                                   { "time", timeText(letter.timeMs) },
                                   { "payload_bytes", letter.payloadBytes } }));
        out.text(timeText(letter.timeMs) + "  " + letter.job + "\n    " + letter.why + " ("
                 + counted(letter.attempts, "attempt") + ")");
    }
    if (letters->empty())
        out.text("role " + arguments.role + " has no dead letters"
                 + (arguments.why.empty() || *inAll == 0 ? "" : " with this in their reason"));
    if (isCut)
        out.text("These are the newest " + std::to_string(arguments.last)
                 + (arguments.why.empty() ? " of " + std::to_string(*inAll) : ", and there are more")
                 + "; --last N shows more.");
    if (out.json)
        out.document(Value::map({ { "dead", std::move(all) }, { "in_all", *inAll }, { "more", isCut } }));
    return Done;
}

Result<std::int64_t> handle(const Arguments& arguments, OpenedPools& opened, DeadWork work)
{
    const workers::QueueName queue{ opened.queue.ns, arguments.role };
    if (arguments.job.empty())
        return workers::handleDeadLetters(opened.redis, queue, { arguments.why }, work, { poolActor() });
    workers::RoleQueue roleQueue(opened.redis, queue);
    const auto done = work == DeadWork::Requeue ? roleQueue.requeue({ arguments.job }, poolActor())
                                                : roleQueue.discard({ { arguments.job } }, poolActor());
    if (!done)
        return done.error();
    if (!done->front())
        return Error{ Errc::InvalidArgument,
                      "role " + arguments.role + " has no dead letter " + arguments.job };
    return 1;
}

int handleDead(const Arguments& arguments, OpenedPools& opened, DeadWork work, const Output& out)
{
    const int given =
        (arguments.job.empty() ? 0 : 1) + (arguments.why.empty() ? 0 : 1) + (arguments.all ? 1 : 0);
    if (given != 1)
        return out.fail(Usage,
                        "which dead letters? Name a JOB, as pool dead lists it, or give --why TEXT for those "
                        "with it in their reason, or --all");
    const auto done = handle(arguments, opened, work);
    if (!done)
        return out.fail(done.error());
    const bool isRequeue = work == DeadWork::Requeue;
    if (out.json)
        out.document(Value::map({ { isRequeue ? "requeued" : "discarded", *done } }));
    out.text(isRequeue ? counted(*done, "task")
                     + " will be tried again, with the code that it was sent with; a run that failed by it "
                       "goes on with sandglass resume, which is also what takes code that has changed"
                       : counted(*done, "dead letter")
                     + " discarded; a run that failed by one does its task anew with sandglass resume");
    return Done;
}

using Work = int (*)(const Arguments&, OpenedPools&, const Output&);

int requeue(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    return handleDead(arguments, opened, DeadWork::Requeue, out);
}

int discard(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    return handleDead(arguments, opened, DeadWork::Discard, out);
}

std::shared_ptr<Arguments> addPart(const Verb& verb, Work work, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    verb.option("ROLE", arguments->role, "the role").required();
    arguments->queue.add(verb);
    verb.onRun([arguments, &shell, work] {
        const auto opened = openPools(arguments->queue, arguments->role);
        shell.exit = opened ? work(*arguments, **opened, shell.out) : shell.out.fail(opened.error());
    });
    verb.option("--why", arguments->why, "those alone that have this text in their reason");
    return arguments;
}

} // namespace

void addPoolDead(Verb pool, Shell& shell)
{
    const Verb listing = pool.add("dead", "tasks that were given up, and why");
    const auto listed = addPart(listing, dead, shell);
    listing.option("--last", listed->last, "the newest ones (default 50)")
        .within(std::int64_t{ 1 }, std::int64_t{ 1'000'000'000 });
    const Verb again = pool.add("requeue", "try dead letters again");
    const auto requeued = addPart(again, requeue, shell);
    again.option("JOB", requeued->job, "the job, as pool dead lists it");
    again.flag("--all", requeued->all, "all of the role");
    const Verb away = pool.add("discard", "throw dead letters away, with what their tasks were given");
    const auto discarded = addPart(away, discard, shell);
    away.option("JOB", discarded->job, "the job, as pool dead lists it");
    away.flag("--all", discarded->all, "all of the role");
}

} // namespace sg::cli
