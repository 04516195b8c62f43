#include "core/exchange/python_module.h"

#include "core/exchange/python_text.h"

#include <array>

namespace sg::exchange {
namespace {

constexpr std::size_t kLineWidth = 110;

// Imports are grouped as isort does: the standard library, packages, this package.
int groupOf(std::string_view module)
{
    if (module.starts_with('.'))
        return 2;
    return isStandardModule(module.substr(0, module.find('.'))) ? 0 : 1;
}

std::string joined(const std::set<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        (text += text.empty() ? "" : ", ") += name;
    return text;
}

std::string fromLine(const std::string& module, const std::set<std::string>& names)
{
    const std::string line = "from " + module + " import " + joined(names);
    if (line.size() <= kLineWidth)
        return line + "\n";
    std::string text = "from " + module + " import (\n";
    for (const std::string& name : names)
        text += "    " + name + ",\n";
    return text + ")\n";
}

} // namespace

PythonModule::PythonModule(std::string docstring)
    : m_docstring(std::move(docstring))
{
}

void PythonModule::import(std::string_view module)
{
    m_modules.emplace(module);
}

std::string PythonModule::from(std::string_view module, std::string_view name, std::string_view alias)
{
    const bool renamed = !alias.empty() && alias != name;
    m_names[std::string(module)].insert(std::string(name)
                                        + (renamed ? " as " + std::string(alias) : std::string()));
    return std::string(renamed ? alias : name);
}

void PythonModule::addDefinition(const std::string& block)
{
    m_body += "\n\n" + block;
    m_endsInDefinition = true;
}

void PythonModule::addLine(const std::string& line)
{
    m_body += (m_endsInDefinition ? "\n\n" : "") + line + "\n";
    m_endsInDefinition = false;
}

void PythonModule::addGap()
{
    if (!m_endsInDefinition)
        m_body += "\n";
}

std::string PythonModule::text() const
{
    std::array<std::string, 3> groups;
    for (const std::string& module : m_modules)
        groups[static_cast<std::size_t>(groupOf(module))] += "import " + module + "\n";
    for (const auto& [module, names] : m_names)
        groups[static_cast<std::size_t>(groupOf(module))] += fromLine(module, names);
    std::string text = m_docstring.empty() ? "" : m_docstring + "\n";
    for (const std::string& group : groups)
        if (!group.empty())
            text += (text.empty() ? "" : "\n") + group;
    return text + m_body;
}

std::string pythonCall(const std::string& prefix, const std::vector<std::string>& arguments, int indent)
{
    std::string line = prefix + "(";
    for (const std::string& argument : arguments)
        (line += &argument == arguments.data() ? "" : ", ") += argument;
    line += ")";
    const auto margin = static_cast<std::size_t>(indent);
    if (margin + line.size() <= kLineWidth || arguments.empty())
        return line;
    const std::string space(margin, ' ');
    std::string text = prefix + "(\n";
    for (const std::string& argument : arguments)
        text += space + "    " + argument + ",\n";
    return text + space + ")";
}

} // namespace sg::exchange
