#include "core/sessions/runner/session_files.h"

#include "core/sessions/runner/frame.h"
#include "core/sessions/runner/runner_link.h"

#include <chrono>
#include <deque>
#include <memory>
#include <utility>

namespace sg::sessions {
namespace {

using Exchange = RunnerLink::Exchange;

constexpr std::size_t kFileChunk = 1U << 20;
constexpr std::size_t kChunksAhead = 2; // chunks sent or asked for before the first is answered
constexpr std::size_t kMostPath = 4096;
constexpr Millis kFileAnswerTime{ 30'000 };

const char* nameOf(FileRoot root)
{
    switch (root) {
    case FileRoot::Session: return "session";
    case FileRoot::Artifacts: return "artifacts";
    case FileRoot::Data: return "data";
    }
    return "session";
}

// The next answer of an exchange, which must be `expected`.
Result<Frame> answerOf(RunnerLink& link, Exchange& exchange, const char* expected)
{
    auto answer = exchange.next(std::chrono::steady_clock::now() + kFileAnswerTime);
    if (!answer) {
        if (answer.error().code == Errc::Timeout)
            link.close({ Errc::Timeout, "the session's runner did not answer while a file was copied" });
        return answer;
    }
    if (answer->event == "problem")
        return Error{ Errc::InvalidArgument,
                      answer->body["error"].stringOr("message", "refused in the session").substr(0, 1000) };
    if (answer->event != expected) {
        link.close(brokenProtocol("a wrong answer while a file was copied"));
        return brokenProtocol("a wrong answer while a file was copied");
    }
    return answer;
}

std::string pathIn(const Frame& answer)
{
    return answer.body.stringOr("path", {}).substr(0, kMostPath);
}

Result<SessionFile> describedBy(const Frame& answer)
{
    SessionFile file;
    file.size = answer.body.intOr("size", -1);
    file.modifiedNs = answer.body.intOr("mtime_ns", 0);
    file.inode = answer.body.intOr("inode", -1);
    file.path = pathIn(answer);
    if (file.size < 0 || file.inode < 0)
        return brokenProtocol("a file without size or inode");
    return file;
}

Result<SessionFile> listedOf(const Value& entry)
{
    const Value& path = entry["path"];
    SessionFile file;
    file.size = entry.intOr("size", -1);
    file.modifiedNs = entry.intOr("mtime_ns", 0);
    file.inode = entry.intOr("inode", -1);
    if (!(path.isString() || path.isBytes()) || file.size < 0)
        return brokenProtocol("a listed file without path or size");
    file.path = path.isString() ? path.asString() : path.asBytes();
    return file;
}

ValueMap readRequest(FileRoot root, const RelativePath& path, std::int64_t offset, std::size_t length)
{
    return { { "op", "read_file" },
             { "root", nameOf(root) },
             { "path", path.text() },
             { "offset", offset },
             { "length", static_cast<std::int64_t>(length) } };
}

class Writer final : public SessionFileWriter {
public:
    Writer(RunnerLink& link, FileRoot root, RelativePath path)
        : m_link(link)
        , m_root(root)
        , m_path(std::move(path))
    {
    }

    ~Writer() override
    {
        if (m_isDone || m_offset == 0 || m_link.failure())
            return;
        ValueMap request = this->request({}, false);
        request.set("discard", true);
        static_cast<void>(m_link.begin(std::move(request))); // nobody waits for the answer
    }

    Result<void> write(std::string_view bytes) override
    {
        while (!bytes.empty()) {
            const std::size_t taken = std::min(bytes.size(), kFileChunk - m_chunk.size());
            m_chunk.append(bytes.substr(0, taken));
            bytes.remove_prefix(taken);
            if (m_chunk.size() == kFileChunk)
                if (auto sent = send(false); !sent)
                    return sent;
        }
        return {};
    }

    Result<std::string> finish() override
    {
        if (auto sent = send(true); !sent)
            return sent.error();
        while (!m_sent.empty())
            if (auto taken = takeAnswer(); !taken)
                return taken.error();
        m_isDone = true;
        return m_inside;
    }

private:
    ValueMap request(std::string data, bool last)
    {
        return { { "op", "put_file" },   { "root", nameOf(m_root) },           { "path", m_path.text() },
                 { "offset", m_offset }, { "data", Bytes{ std::move(data) } }, { "last", last } };
    }

    Result<void> send(bool last)
    {
        while (m_sent.size() >= kChunksAhead)
            if (auto taken = takeAnswer(); !taken)
                return taken;
        const auto size = static_cast<std::int64_t>(m_chunk.size());
        auto exchange = m_link.begin(request(std::exchange(m_chunk, {}), last));
        if (!exchange)
            return exchange.error();
        m_offset += size;
        m_sent.push_back(std::move(*exchange));
        return {};
    }

    Result<void> takeAnswer()
    {
        const auto answer = answerOf(m_link, m_sent.front(), "stored");
        m_sent.pop_front();
        if (!answer)
            return answer.error();
        m_inside = pathIn(*answer);
        return {};
    }

    RunnerLink& m_link;
    const FileRoot m_root;
    const RelativePath m_path;
    std::string m_chunk;
    std::int64_t m_offset = 0;
    std::deque<Exchange> m_sent;
    std::string m_inside;
    bool m_isDone = false;
};

} // namespace

Result<SessionListing> listSessionFiles(RunnerLink& link, FileRoot root, std::size_t most)
{
    auto exchange = link.begin(
        { { "op", "list_files" }, { "root", nameOf(root) }, { "limit", static_cast<std::int64_t>(most) } });
    if (!exchange)
        return exchange.error();
    const auto answer = answerOf(link, *exchange, "files");
    if (!answer)
        return answer.error();
    const Value& files = answer->body["files"];
    if (!files.isList())
        return brokenProtocol("a list of files that is none");
    SessionListing listing;
    listing.isCut = answer->body.boolOr("more", false);
    for (const Value& entry : files.asList()) {
        auto file = listedOf(entry);
        if (!file)
            return file.error();
        listing.files.push_back(std::move(*file));
    }
    return listing;
}

Result<SessionFile> lookAtSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path)
{
    auto exchange = link.begin(readRequest(root, path, 0, 0));
    if (!exchange)
        return exchange.error();
    const auto answer = answerOf(link, *exchange, "file");
    if (!answer)
        return answer.error();
    return describedBy(*answer);
}

Result<SessionFile> readSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path,
                                    const std::function<Result<void>(std::string_view)>& take)
{
    const auto file = lookAtSessionFile(link, root, path);
    if (!file)
        return file.error();
    std::deque<Exchange> asked;
    std::int64_t askedTo = 0;
    for (std::int64_t offset = 0; offset < file->size;) {
        while (asked.size() < kChunksAhead && askedTo < file->size) {
            ValueMap request = readRequest(root, path, askedTo, kFileChunk);
            request.set("inode", file->inode);
            auto exchange = link.begin(std::move(request));
            if (!exchange)
                return exchange.error();
            asked.push_back(std::move(*exchange));
            askedTo += static_cast<std::int64_t>(kFileChunk);
        }
        const auto answer = answerOf(link, asked.front(), "file");
        asked.pop_front();
        if (!answer)
            return answer.error();
        const auto now = describedBy(*answer);
        const Value& data = answer->body["data"];
        if (!now || !data.isBytes())
            return brokenProtocol("a part of a file that is none");
        const auto expected = std::min(static_cast<std::int64_t>(kFileChunk), file->size - offset);
        if (now->size != file->size || now->modifiedNs != file->modifiedNs
            || static_cast<std::int64_t>(data.asBytes().size()) != expected)
            return Error{ Errc::Conflict, "it was changed while it was copied" };
        if (auto taken = take(data.asBytes()); !taken)
            return taken.error();
        offset += expected;
    }
    return file;
}

std::unique_ptr<SessionFileWriter> writeSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path)
{
    return std::make_unique<Writer>(link, root, path);
}

} // namespace sg::sessions
