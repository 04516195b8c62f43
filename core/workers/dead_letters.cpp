#include "core/workers/dead_letters.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace sg::workers {
namespace {

constexpr std::int64_t kEntries = 1000; // entries that are asked for at a time

std::int64_t entryNumber(const std::string& text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

DeadLetter letterOf(const RedisReply& entry)
{
    DeadLetter letter;
    letter.entry = entry[0].text;
    letter.timeMs = entryNumber(letter.entry); // an id is the time when it was added, and a number
    for (std::size_t i = 0; i + 1 < entry[1].list.size(); i += 2) {
        const std::string& name = entry[1][i].text;
        const std::string& value = entry[1][i + 1].text;
        if (name == "j")
            letter.job = value;
        else if (name == "why")
            letter.why = value;
        else if (name == "att")
            letter.attempts = entryNumber(value);
    }
    return letter;
}

bool isChosen(const DeadLetter& letter, const DeadChoice& choice)
{
    return choice.why.empty() || letter.why.find(choice.why) != std::string::npos;
}

// One page of the stream, and where the next one begins.
struct Page {
    std::vector<DeadLetter> letters; // those that are chosen
    std::string last; // entry; empty: this was the last page
};

Result<Page> readPage(Redis& redis, const Redis::Words& question, const DeadChoice& choice)
{
    const auto reply = redis.call(question);
    if (!reply)
        return reply.error();
    Page page;
    for (const RedisReply& entry : reply->list) {
        DeadLetter letter = letterOf(entry);
        if (isChosen(letter, choice))
            page.letters.push_back(std::move(letter));
    }
    if (reply->list.size() == static_cast<std::size_t>(kEntries))
        page.last = reply->list.back()[0].text;
    return page;
}

Result<void> addPayloadSizes(Redis& redis, const std::string& prefix, std::vector<DeadLetter>& letters)
{
    for (std::size_t first = 0; first < letters.size(); first += kEntries) {
        const std::size_t end = std::min(letters.size(), first + kEntries);
        std::vector<std::string> jobs;
        for (std::size_t i = first; i < end; ++i)
            jobs.push_back(prefix + "job:" + letters[i].job);
        std::vector<Redis::Words> questions;
        for (const std::string& job : jobs)
            questions.push_back({ "HSTRLEN", job, "p" });
        const auto sizes = redis.callAll(questions);
        if (!sizes)
            return sizes.error();
        for (std::size_t i = first; i < end; ++i)
            letters[i].payloadBytes = (*sizes)[i - first].number();
    }
    return {};
}

Result<std::int64_t> handlePage(RoleQueue& queue, const std::vector<DeadLetter>& letters, DeadWork work,
                                const std::string& actor)
{
    Result<std::vector<bool>> done = std::vector<bool>();
    if (work == DeadWork::Discard) {
        std::vector<RoleQueue::Dead> all;
        for (const DeadLetter& letter : letters)
            all.push_back({ letter.job, letter.entry });
        done = queue.discard(all, actor);
    } else {
        std::vector<std::string> jobs;
        for (const DeadLetter& letter : letters)
            jobs.push_back(letter.job);
        done = queue.requeue(jobs, actor);
    }
    if (!done)
        return std::move(done.error());
    return static_cast<std::int64_t>(std::ranges::count(*done, true));
}

} // namespace

Result<std::vector<DeadLetter>> deadLetters(Redis& redis, const QueueName& queue, const DeadChoice& choice,
                                            std::int64_t most)
{
    const std::string key = queue.prefix() + "dead";
    std::vector<DeadLetter> letters;
    std::string to = "+";
    // A short look reads no more than it shows.
    const std::string count = std::to_string(choice.why.empty() ? std::min(most, kEntries) : kEntries);
    while (static_cast<std::int64_t>(letters.size()) < most) {
        auto page = readPage(redis, { "XREVRANGE", key, to, "-", "COUNT", count }, choice);
        if (!page)
            return std::move(page.error());
        std::ranges::move(page->letters, std::back_inserter(letters));
        if (page->last.empty())
            break;
        to = "(" + page->last;
    }
    if (static_cast<std::int64_t>(letters.size()) > most)
        letters.resize(static_cast<std::size_t>(most));
    if (auto sized = addPayloadSizes(redis, queue.prefix(), letters); !sized)
        return std::move(sized.error());
    return letters;
}

Result<std::int64_t> countDeadLetters(Redis& redis, const QueueName& queue)
{
    const std::string key = queue.prefix() + "dead";
    const auto reply = redis.call({ "XLEN", key });
    if (!reply)
        return reply.error();
    return reply->number();
}

Result<std::int64_t> handleDeadLetters(Redis& redis, const QueueName& queue, const DeadChoice& choice,
                                       DeadWork work, const Actor& actor)
{
    const std::string key = queue.prefix() + "dead";
    const auto newest = redis.call({ "XREVRANGE", key, "+", "-", "COUNT", "1" });
    if (!newest)
        return newest.error();
    if (newest->list.empty())
        return 0;
    const std::string border = (*newest)[0][0].text;
    const std::string count = std::to_string(kEntries);
    RoleQueue roleQueue(redis, queue);
    std::int64_t done = 0;
    const auto failed = [&](Error error) {
        return std::move(error).during(std::to_string(done) + " dead letters were "
                                       + (work == DeadWork::Discard ? "discarded" : "requeued") + ", then");
    };
    for (std::string from = "-"; !from.empty();) {
        auto page = readPage(redis, { "XRANGE", key, from, border, "COUNT", count }, choice);
        if (!page)
            return failed(std::move(page.error()));
        auto some = handlePage(roleQueue, page->letters, work, actor.name);
        if (!some)
            return failed(std::move(some.error()));
        done += *some;
        if (actor.progress)
            actor.progress(done);
        from = page->last.empty() ? std::string() : "(" + page->last;
    }
    return done;
}

} // namespace sg::workers
