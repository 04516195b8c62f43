#include "core/datasets/dataset_consent.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/settings/secret_source.h"

#include <cstdlib>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::datasets {
namespace {

// Resolves links: a folder "datasets" may be a link to /home.
bool isInside(const fs::path& folder, const fs::path& project)
{
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(project / folder, failed);
    const fs::path root = fs::weakly_canonical(project, failed);
    const fs::path relative = real.lexically_relative(root);
    return !failed && !relative.empty() && *relative.begin() != "..";
}

} // namespace

DatasetConsent::DatasetConsent(fs::path file, fs::path project)
    : m_file(std::move(file))
    , m_project(std::move(project))
{
}

std::optional<std::string> DatasetConsent::risk(const DatasetSource& source) const
{
    switch (source.kind) {
    case DatasetSource::Kind::Command: {
        std::string line;
        for (const std::string& part : source.command)
            line += (line.empty() ? "" : " ") + part;
        return "runs a program on this machine: " + printableText(line);
    }
    case DatasetSource::Kind::Folder:
        if (!isInside(source.folder, m_project))
            return "reads " + printableText((m_project / source.folder).string())
                + ", a folder outside of the project";
        break;
    case DatasetSource::Kind::Http:
        if (!source.secret.empty())
            return "sends the secret " + source.secret + " to " + printableText(source.url);
        break;
    }
    return std::nullopt;
}

// Consent is for this source in this project; any change of the source asks again.
std::string DatasetConsent::mark(const DatasetSource& source) const
{
    return settings::ConsentFile::mark(m_project, toJson(source.written));
}

bool DatasetConsent::isAllowed(const DatasetSource& source) const
{
    return !risk(source) || m_file.has(mark(source));
}

Result<void> DatasetConsent::allow(const DatasetSource& source)
{
    return isAllowed(source) ? Result<void>() : m_file.add(mark(source));
}

Result<settings::Secret> readSecret(const fs::path& folder, const std::string& name,
                                    const SecretVariables& variables)
{
    // The variable has the secret's own name, as other programs know it, but the source asks for ours.
    const settings::SecretSource source(
        [&](const std::string&) { return variables ? variables(name) : std::nullopt; }, folder);
    auto found = source.find(name);
    if (!found && found.error().code == Errc::NotFound)
        return Error{ Errc::NotFound,
                      "the secret " + name + " is neither in the environment nor in "
                          + (folder / name).string() + " (chmod 600)" };
    if (!found)
        return found;
    std::string bytes = found->reveal();
    bytes.erase(bytes.find_last_not_of("\r\n") + 1);
    return settings::Secret(name, std::move(bytes));
}

} // namespace sg::datasets
