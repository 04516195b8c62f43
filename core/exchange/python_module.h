#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sg::exchange {

// A Python source file under construction: its imports, and its blocks in order.
class PythonModule {
public:
    explicit PythonModule(std::string docstring);

    void import(std::string_view module); // "import operator"
    // Adds "from langgraph.graph import START" and returns the name that code uses.
    std::string from(std::string_view module, std::string_view name, std::string_view alias = {});
    void addDefinition(const std::string& block); // a class or function, with two empty lines around it
    void addLine(const std::string& line); // statements that follow each other
    void addGap(); // one empty line between statements
    [[nodiscard]] std::string text() const;

private:
    std::string m_docstring;
    std::set<std::string, std::less<>> m_modules;
    std::map<std::string, std::set<std::string>, std::less<>> m_names; // module → "name" or "name as alias"
    std::string m_body;
    bool m_endsInDefinition = true;
};

// Writes "prefix(a, b)" on one line if it fits, else one argument per line.
std::string pythonCall(const std::string& prefix, const std::vector<std::string>& arguments, int indent = 0);

} // namespace sg::exchange
