#include "core/workers/job_story.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace sg::workers {
namespace {

using Kind = StoryLine::Kind;

constexpr int kMostPages = 200; // the audit keeps about 100,000 entries
constexpr std::string_view kPage = "1000";
constexpr std::int64_t kApartMs = 1000; // an entry's time and the one in its job are not read together
constexpr std::string_view kFailed = "failed: ";

bool isEnd(Kind kind)
{
    return kind == Kind::Done || kind == Kind::Dead || kind == Kind::Cancelled || kind == Kind::Discarded;
}

std::int64_t numberIn(std::string_view text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void fill(StoryLine& line, const std::string& name, const std::string& value)
{
    if (name == "w")
        line.worker = value;
    else if (name == "att")
        line.attempt = numberIn(value);
    else if (name == "ms")
        line.waitMs = numberIn(value);
    else if (name == "why" || name == "by")
        line.text = value;
}

// An entry tells of all jobs that one step handled: what is true of all of them, then each job and what is
// true of it alone.
void takeLines(const RedisReply& entry, const std::string& job, std::vector<StoryLine>& lines)
{
    StoryLine common;
    common.timeMs = numberIn(entry[0].text);
    std::optional<Kind> kind;
    std::optional<StoryLine> own;
    bool isCommon = true;
    for (std::size_t i = 0; i + 1 < entry[1].list.size(); i += 2) {
        const std::string& name = entry[1][i].text;
        const std::string& value = entry[1][i + 1].text;
        if (name == "e") {
            const auto known = kindNamed<Kind>(value);
            if (!known)
                return;
            common.kind = *known;
        } else if (name == "j") {
            isCommon = false;
            if (own)
                break;
            if (value == job)
                own = common;
        } else if (isCommon) {
            fill(common, name, value);
        } else if (own) {
            fill(*own, name, value);
        }
    }
    if (own)
        lines.push_back(std::move(*own));
}

// Reads the job's own memory of its failures: "MILLISECONDS failed: WHY", a line each.
std::vector<StoryLine> failuresOf(std::string_view history)
{
    std::vector<StoryLine> failures;
    while (!history.empty()) {
        const std::size_t end = std::min(history.find('\n'), history.size());
        const std::string_view line = history.substr(0, end);
        history.remove_prefix(std::min(end + 1, history.size()));
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || !line.substr(space + 1).starts_with(kFailed))
            continue;
        StoryLine failed;
        failed.kind = Kind::Failed;
        failed.timeMs = numberIn(line);
        failed.text = line.substr(space + 1 + kFailed.size());
        failures.push_back(std::move(failed));
    }
    return failures;
}

// The audit's order is the true one, also within a millisecond. A failure stands before what the same step
// noted there: that the job is tried again, or is dead.
void addFailures(std::vector<StoryLine> failures, std::vector<StoryLine>& lines)
{
    constexpr std::int64_t kSameStepMs = 5; // the two times are read one after the other
    std::vector<StoryLine> all;
    auto next = failures.begin();
    for (StoryLine& line : lines) {
        while (next != failures.end() && next->timeMs < line.timeMs - kSameStepMs)
            all.push_back(std::move(*next++)); // the audit has dropped what belongs to it
        const bool isAfterFailure = line.kind == Kind::Retry || line.kind == Kind::Dead;
        if (isAfterFailure && next != failures.end() && next->timeMs <= line.timeMs + kSameStepMs)
            all.push_back(std::move(*next++));
        all.push_back(std::move(line));
    }
    std::move(next, failures.end(), std::back_inserter(all));
    lines = std::move(all);
}

// Returns false where there were more pages than are read.
Result<bool> readAudit(Redis& redis, const std::string& key, const std::string& job, std::string from,
                       const std::string& to, std::vector<StoryLine>& lines)
{
    for (int page = 0; page < kMostPages; ++page) {
        const auto reply = redis.call({ "XRANGE", key, from, to, "COUNT", kPage });
        if (!reply)
            return reply.error();
        if (reply->list.empty())
            return true;
        for (const RedisReply& entry : reply->list)
            takeLines(entry, job, lines);
        from = "(" + reply->list.back()[0].text;
    }
    return false;
}

} // namespace

Result<JobStory> jobStory(Redis& redis, const QueueName& queue, const std::string& job)
{
    const std::string prefix = queue.prefix();
    const std::string key = prefix + "job:" + job;
    const auto reply = redis.call({ "HGETALL", key });
    if (!reply)
        return reply.error();
    if (reply->list.empty())
        return Error{ Errc::NotFound,
                      "role " + queue.role + " has no job " + job
                          + ": it was never added, or ended more than seven days ago" };
    std::map<std::string, std::string> fields;
    for (std::size_t i = 0; i + 1 < reply->list.size(); i += 2)
        fields[(*reply)[i].text] = (*reply)[i + 1].text;
    JobStory story;
    story.job = job;
    story.state = jobStateNamed(fields["st"]);
    story.attempts = numberIn(fields["att"]);
    story.most = std::max<std::int64_t>(numberIn(fields["max"]), 1);
    story.lost = numberIn(fields["lost"]);
    story.partition = fields["part"];
    story.error = fields["err"];
    story.payload = std::move(fields["p"]);
    const std::int64_t added = numberIn(fields["enq"]);
    const std::int64_t ended = story.state && hasEnded(*story.state) ? numberIn(fields["t1"]) : 0;
    auto isRead = readAudit(redis, prefix + "audit", job, added > 0 ? std::to_string(added - kApartMs) : "-",
                            ended > 0 ? std::to_string(ended + kApartMs) : "+", story.lines);
    // The entries of a server whose clock was set back lie behind.
    if (isRead && ended > 0 && (story.lines.empty() || !isEnd(story.lines.back().kind))) {
        story.lines.clear();
        isRead = readAudit(redis, prefix + "audit", job, "-", "+", story.lines);
    }
    if (!isRead)
        return isRead.error();
    addFailures(failuresOf(fields["hist"]), story.lines);
    story.isWhole = *isRead && !story.lines.empty() && story.lines.front().kind == Kind::Added;
    return story;
}

} // namespace sg::workers
