#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::projects {

// Edits of a graph and of its code that are not saved yet, in the project's own folder, to be offered after a
// crash. Each window that has the graph open holds one, with a file of its own; the kernel drops its lock
// when its owner dies, so that what a dead one left can be told from what a living one keeps. One thread at a
// time.
class EditJournal {
public:
    struct Edits {
        std::string text; // empty: none
        std::string base; // textHash() of the file that they were made on; empty: not known
    };

    // With what a crash left, if anything. Never fails: where the folder cannot be written, keep() says so.
    explicit EditJournal(const ProjectPaths& project);

    [[nodiscard]] bool isOf(const ProjectPaths& project) const;
    [[nodiscard]] bool isShared() const { return m_isShared; } // another one was there before
    [[nodiscard]] Edits read() const;
    // Without a text: there are none any more. `base`: the file's text that they were made on.
    Result<void> keep(std::string_view text, std::string_view base);
    // Of a code file, by its name in the graph. Empty: there is none.
    [[nodiscard]] std::string draft(const std::string& name) const;
    Result<void> keepDraft(const std::string& name, std::string_view text);

private:
    bool lock(int slot);
    void unlock(int slot);
    [[nodiscard]] std::filesystem::path file(int slot) const;
    [[nodiscard]] std::filesystem::path drafts(int slot) const; // folder
    [[nodiscard]] bool isLeft(int slot) const; // something is there
    Result<void> checkSlot() const;

    std::filesystem::path m_path; // of the first; the others' names go on
    Fd m_locks; // a byte for each
    int m_slot = 0;
    bool m_isShared = false;
};

std::string textHash(std::string_view text);

} // namespace sg::projects
