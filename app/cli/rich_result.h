#pragma once

#include "app/cli/output.h"
#include "core/base/value.h"

#include <filesystem>
#include <set>
#include <string>

namespace sg::cli {

// What a cell displays and results in: its text on stdout; the other forms as files in a folder, where one
// was named, else they are said to be there.
class RichResults {
public:
    // `folder` may be empty; it is made with the first file.
    RichResults(const Output& out, std::filesystem::path folder);

    void show(const Value& bundle); // MIME type → text or bytes
    // After the last one. The paths that were written, in order.
    ValueList end();

private:
    void save(const std::string& type, const Value& data);

    const Output& m_out;
    const std::filesystem::path m_folder;
    int m_number = 0; // of the bundle
    std::set<std::string> m_unsaved; // types
    ValueList m_saved;
};

} // namespace sg::cli
