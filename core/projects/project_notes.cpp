#include "core/projects/project_notes.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <system_error>

namespace sg::projects {
namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kLongest = 16U << 20;

} // namespace

ThreadNotes notesFrom(const Value& value)
{
    ThreadNotes notes;
    notes.label = value.stringOr("label", "");
    if (const Value* bookmarks = value.find("bookmarks"); bookmarks != nullptr && bookmarks->isMap())
        for (const auto& [checkpoint, note] : bookmarks->asMap())
            if (checkpoint.isString() && note.isString())
                notes.bookmarks.emplace(CheckpointId(checkpoint.asString()), note.asString());
    return notes;
}

Value notesValue(const ThreadNotes& notes)
{
    ValueMap made;
    if (!notes.label.empty())
        made.set("label", notes.label);
    if (!notes.bookmarks.empty()) {
        ValueMap bookmarks;
        for (const auto& [checkpoint, note] : notes.bookmarks)
            bookmarks.set(checkpoint.value, note);
        made.set("bookmarks", std::move(bookmarks));
    }
    return Value(std::move(made));
}

ProjectNotes::ProjectNotes(std::filesystem::path file)
    : m_file(std::move(file))
{
}

Result<NotesByThread> ProjectNotes::read()
{
    const std::lock_guard lock(s_mutex);
    auto content = readFile();
    if (!content)
        return std::move(content.error());
    return std::move(content->threads);
}

Result<ProjectNotes::Content> ProjectNotes::readFile() const
{
    Content content;
    std::error_code failed;
    if (!std::filesystem::exists(m_file, failed))
        return content;
    auto text = sg::readFile(m_file, kLongest);
    if (!text)
        return std::move(text.error());
    auto value = parseJson(*text);
    if (!value || value->intOr("format", 0) != kFormat)
        return Error{ Errc::Corrupt,
                      m_file.string() + " does not hold the notes of this version: "
                          + (value ? "its format is another" : value.error().message)
                          + ". Move it away to begin anew" };
    if (const Value* threads = value->find("threads"); threads != nullptr && threads->isMap())
        for (const auto& [thread, each] : threads->asMap())
            if (thread.isString())
                content.threads.emplace(ThreadId(thread.asString()), notesFrom(each));
    if (const Value* watches = value->find("watches"); watches != nullptr && watches->isList())
        for (const Value& program : watches->asList())
            if (program.isString())
                content.watches.push_back(program.asString());
    return content;
}

Result<void> ProjectNotes::write(const Content& content) const
{
    ValueMap threads;
    for (const auto& [thread, each] : content.threads)
        threads.set(thread.value, notesValue(each));
    ValueMap whole{ { "format", kFormat }, { "threads", Value(std::move(threads)) } };
    if (!content.watches.empty())
        whole.set("watches", ValueList(content.watches.begin(), content.watches.end()));
    std::error_code failed;
    std::filesystem::create_directories(m_file.parent_path(), failed);
    return writeFileAtomically(m_file, toJson(Value(std::move(whole)), JsonStyle::Indented) + "\n");
}

template<typename Change>
Result<ProjectNotes::Content> ProjectNotes::changeContent(Change change)
{
    const std::lock_guard lock(s_mutex);
    auto content = readFile();
    if (!content)
        return content;
    const Content before = *content;
    change(*content);
    std::erase_if(content->threads, [](const auto& each) { return each.second == ThreadNotes(); });
    if (*content != before)
        if (auto written = write(*content); !written)
            return std::move(written.error());
    return content;
}

template<typename Change>
Result<NotesByThread> ProjectNotes::change(Change change)
{
    auto content = changeContent([&](Content& all) { change(all.threads); });
    if (!content)
        return std::move(content.error());
    return std::move(content->threads);
}

Result<std::vector<std::string>> ProjectNotes::watches()
{
    const std::lock_guard lock(s_mutex);
    auto content = readFile();
    if (!content)
        return std::move(content.error());
    return std::move(content->watches);
}

Result<void> ProjectNotes::setWatches(const std::vector<std::string>& programs)
{
    auto content = changeContent([&](Content& all) { all.watches = programs; });
    if (!content)
        return std::move(content.error());
    return {};
}

Result<NotesByThread> ProjectNotes::setLabel(const ThreadId& thread, const std::string& label)
{
    return change([&](NotesByThread& notes) { notes[thread].label = label; });
}

Result<NotesByThread> ProjectNotes::setBookmark(const ThreadId& thread, const CheckpointId& checkpoint,
                                                const std::optional<std::string>& note)
{
    return change([&](NotesByThread& notes) {
        if (note)
            notes[thread].bookmarks[checkpoint] = *note;
        else
            notes[thread].bookmarks.erase(checkpoint);
    });
}

Result<NotesByThread> ProjectNotes::set(const ThreadId& thread, const ThreadNotes& notes)
{
    return change([&](NotesByThread& all) { all[thread] = notes; });
}

Result<NotesByThread> ProjectNotes::forget(const ThreadId& thread)
{
    return change([&](NotesByThread& notes) { notes.erase(thread); });
}

} // namespace sg::projects
