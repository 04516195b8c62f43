#pragma once

#include "app/cli/output.h"
#include "core/base/value.h"

#include <filesystem>
#include <set>
#include <string>

namespace sg::cli {

// RichResults shows what a cell displays and returns: its text on stdout, other forms as files in a folder if
// one was named; otherwise a note says that they exist.
class RichResults {
public:
    // `folder` may be empty; it is created with the first file.
    RichResults(const Output& out, std::filesystem::path folder);

    void show(const Value& bundle); // MIME type → text or bytes
    // Called after the last bundle. Returns the paths of the written files, in order.
    ValueList end();

private:
    void save(const std::string& type, const Value& data);

    const Output& m_out;
    const std::filesystem::path m_folder;
    int m_number = 0; // number of the bundle
    std::set<std::string> m_unsaved; // MIME types not saved
    ValueList m_saved;
};

} // namespace sg::cli
