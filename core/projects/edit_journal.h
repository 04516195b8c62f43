#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::projects {

// Keeps unsaved edits of a graph and its code in the project's own folder, to offer them after a crash. Each
// window with the graph open holds one journal with a file of its own. The kernel drops its lock when its
// owner dies, so a dead window's edits can be told from a live one's. One thread may use it at a time.
class EditJournal {
public:
    struct Edits {
        std::string text; // empty: none
        std::string base; // textHash() of the file that they were made on; empty: unknown
    };

    // Takes over edits left by a crash. It never fails: keep() reports a folder that is not writable.
    explicit EditJournal(const ProjectPaths& project);

    [[nodiscard]] bool isOf(const ProjectPaths& project) const;
    [[nodiscard]] bool isShared() const { return m_isShared; } // another window was first
    [[nodiscard]] Edits read() const;
    // An empty text means that there are no edits. `base` is the file's text that they were made on.
    Result<void> keep(std::string_view text, std::string_view base);
    // Returns the draft of a code file, by its name in the graph. Empty: there is none.
    [[nodiscard]] std::string draft(const std::string& name) const;
    Result<void> keepDraft(const std::string& name, std::string_view text);

private:
    bool lock(int slot);
    void unlock(int slot);
    [[nodiscard]] std::filesystem::path file(int slot) const;
    [[nodiscard]] std::filesystem::path drafts(int slot) const; // folder
    [[nodiscard]] bool isLeft(int slot) const; // it has edits
    Result<void> checkSlot() const;

    std::filesystem::path m_path; // the first slot's file; others append a number
    Fd m_locks; // one byte for each slot
    int m_slot = 0;
    bool m_isShared = false;
};

std::string textHash(std::string_view text);

} // namespace sg::projects
