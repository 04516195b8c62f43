#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// The names that a Python file gives to its module, read without running it.
struct PythonNames {
    std::vector<std::string> defined; // by "def" or "class"
    std::vector<std::string> mentioned; // outside functions: imported or assigned, or no more than used
    bool isOpen = false; // it may make names that cannot be read from its text, or the text is no Python

    // Tells whether running the file may give it that name; false is certain.
    [[nodiscard]] bool mayHave(std::string_view name) const;
};
PythonNames pythonNames(std::string_view source);

} // namespace sg::graph
