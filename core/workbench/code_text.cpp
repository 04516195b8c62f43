#include "core/workbench/code_text.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/relative_path.h"
#include "core/base/utf8.h"

#include <system_error>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

// A name of its own for every code file, whatever folders it stands in.
fs::path draftOf(const ProjectPaths& project, const std::string& name)
{
    return project.data / "journal" / ("code-" + sha256Hex(name).substr(0, 24));
}

Result<void> checkText(const std::string& text)
{
    if (!isValidUtf8(text) || text.find('\0') != std::string::npos)
        return Error{ Errc::InvalidArgument,
                      "it is no text in UTF-8; edit it with the program that made it" };
    return {};
}

} // namespace

std::string_view newCode()
{
    return "def node(state, config):\n"
           "    # Returns what changes: {\"channel\": value}\n"
           "    return {}\n";
}

Result<fs::path> codePath(const fs::path& folder, const std::string& name)
{
    auto path = RelativePath::parse(name);
    if (!path)
        return std::move(path.error()).during("find the code file '" + name + "'");
    std::error_code failed;
    const fs::path root = fs::weakly_canonical(folder, failed);
    const fs::path target = fs::weakly_canonical(root / path->text(), failed);
    const fs::path inside = target.lexically_relative(root);
    if (failed || inside.empty() || *inside.begin() == "..")
        return Error{ Errc::InvalidArgument,
                      "the code file '" + name + "' stands outside of the project's folder" };
    return target;
}

Result<CodeText> readCode(const ProjectPaths& project, const std::string& name)
{
    auto path = codePath(project.folder, name);
    if (!path)
        return std::move(path.error());
    CodeText code;
    std::error_code failed;
    code.exists = fs::exists(*path, failed);
    if (code.exists) {
        auto text = readFile(*path, kMostCode);
        if (!text)
            return std::move(text.error()).during("read the code file " + path->string());
        if (auto checked = checkText(*text); !checked)
            return std::move(checked.error()).during("read the code file " + path->string());
        code.text = std::move(*text);
    }
    if (auto draft = readFile(draftOf(project, name), kMostCode); draft && checkText(*draft))
        code.draft = std::move(*draft);
    return code;
}

Result<void> saveCode(const ProjectPaths& project, const std::string& name, std::string_view text,
                      const std::optional<std::string>& expected)
{
    auto path = codePath(project.folder, name);
    if (!path)
        return std::move(path.error());
    const std::string doing = "save the code file " + path->string();
    std::error_code failed;
    std::optional<std::string> there;
    if (fs::exists(*path, failed)) {
        auto read = readFile(*path, kMostCode);
        if (!read)
            return std::move(read.error()).during(doing);
        there = std::move(*read);
    }
    if (there != expected && (!there || *there != text))
        return Error{ Errc::Conflict,
                      path->string()
                          + " was changed by another program since it was read; nothing was written" };
    fs::create_directories(path->parent_path(), failed);
    if (auto written = writeFileAtomically(*path, text); !written)
        return std::move(written.error()).during(doing);
    return keepDraft(project, name, {});
}

Result<void> keepDraft(const ProjectPaths& project, const std::string& name, std::string_view text)
{
    const fs::path path = draftOf(project, name);
    std::error_code failed;
    if (text.empty()) {
        fs::remove(path, failed);
        return {};
    }
    fs::create_directories(path.parent_path(), failed);
    if (auto written = writeFileAtomically(path, text); !written)
        return std::move(written.error()).during("keep unsaved code in " + path.string());
    return {};
}

} // namespace sg::workbench
