#include "core/workbench/code_text.h"

#include "core/base/file.h"
#include "core/base/file_replacing.h"
#include "core/base/relative_path.h"
#include "core/base/utf8.h"

#include <system_error>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

Result<void> checkText(const std::string& text)
{
    if (!isText(text))
        return Error{ Errc::InvalidArgument,
                      "it is no text in UTF-8; edit it with the program that made it" };
    return {};
}

} // namespace

bool isText(const std::string& bytes)
{
    return isValidUtf8(bytes) && bytes.find('\0') == std::string::npos;
}

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
    fs::create_directories(path->parent_path(), failed);
    auto saved = replaceFile(*path, text, kMostCode, [&](const auto& there) -> Result<bool> {
        if (there != expected && (!there || *there != text))
            return Error{ Errc::Conflict,
                          path->string()
                              + " was changed by another program since it was read; nothing was written" };
        return true;
    });
    if (saved || saved.error().code == Errc::Conflict)
        return saved ? Result<void>() : std::move(saved.error());
    return std::move(saved.error()).during(doing);
}

} // namespace sg::workbench
