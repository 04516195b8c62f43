#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::projects {

inline constexpr const char* kNotesFile = "notes.json"; // in a project's data and in a thread's bundle

struct ThreadNotes {
    std::string label; // shown instead of its id; empty: the id
    std::map<CheckpointId, std::string> bookmarks; // each with a note, which may be empty
    friend bool operator==(const ThreadNotes&, const ThreadNotes&) = default;
};
using NotesByThread = std::map<ThreadId, ThreadNotes>;

// Writes {"label": …, "bookmarks": {checkpoint: note}} without empty parts. notesFrom() reads any value.
Value notesValue(const ThreadNotes& notes);
ThreadNotes notesFrom(const Value& value);

// A person's labels, bookmarks and watched expressions, in a private JSON file of the project and never in
// the checkpoint database. Any thread.
//   {"format": 1, "threads": {"alice": {"label": "first try", "bookmarks": {"1ef…": "before the fix"}}},
//    "watches": [".messages | length"]}
class ProjectNotes {
public:
    explicit ProjectNotes(std::filesystem::path file); // need not exist

    // Errc::Corrupt: the file has another form; it is left as it is and never written.
    Result<NotesByThread> read();
    Result<NotesByThread> setLabel(const ThreadId& thread, const std::string& label);
    Result<NotesByThread> setBookmark(const ThreadId& thread, const CheckpointId& checkpoint,
                                      const std::optional<std::string>& note); // nullopt: removes it
    Result<NotesByThread> set(const ThreadId& thread, const ThreadNotes& notes); // replaces its notes
    Result<NotesByThread> forget(const ThreadId& thread);

    Result<std::vector<std::string>> watches(); // jq programs, in the order that they are shown in
    Result<void> setWatches(const std::vector<std::string>& programs);

private:
    struct Content {
        NotesByThread threads;
        std::vector<std::string> watches;
        friend bool operator==(const Content&, const Content&) = default;
    };
    Result<Content> readFile() const;
    Result<void> write(const Content& content) const;
    template<typename Change>
    Result<Content> changeContent(Change change);
    template<typename Change>
    Result<NotesByThread> change(Change change);

    const std::filesystem::path m_file;
    inline static std::mutex
        s_mutex; // guards a change, which reads and then writes; the window and an import have an object each
};

} // namespace sg::projects
