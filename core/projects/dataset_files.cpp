#include "core/projects/dataset_files.h"

#include <unistd.h>

#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::projects {
namespace {

bool isSameContent(const fs::path& a, const fs::path& b)
{
    std::error_code problem;
    if (fs::equivalent(a, b, problem))
        return true;
    const auto size = fs::file_size(a, problem);
    if (problem || size != fs::file_size(b, problem) || problem)
        return false;
    std::ifstream one(a, std::ios::binary);
    std::ifstream other(b, std::ios::binary);
    std::string blockOne(1U << 20, '\0');
    std::string blockOther(blockOne.size(), '\0');
    while (one && other) {
        one.read(blockOne.data(), static_cast<std::streamsize>(blockOne.size()));
        other.read(blockOther.data(), static_cast<std::streamsize>(blockOther.size()));
        if (one.gcount() != other.gcount()
            || blockOne.compare(0, static_cast<std::size_t>(one.gcount()), blockOther, 0,
                                static_cast<std::size_t>(other.gcount()))
                != 0)
            return false;
    }
    return one.eof() && other.eof();
}

} // namespace

Result<std::string> datasetName(const ProjectPaths& project, const fs::path& file)
{
    std::error_code problem;
    const fs::path folder = fs::weakly_canonical(project.datasets, problem);
    const fs::path at = fs::weakly_canonical(file, problem);
    const fs::path name = at.lexically_relative(folder);
    if (problem || name.empty() || name.is_absolute() || *name.begin() == ".." || name == ".")
        return Error{ Errc::NotFound, file.string() + " does not lie in " + project.datasets.string() };
    return name.generic_string();
}

Result<std::string> addDatasetFile(const ProjectPaths& project, const fs::path& file)
{
    if (auto name = datasetName(project, file))
        return name;
    std::error_code problem;
    if (!fs::is_regular_file(file, problem))
        return Error{ Errc::InvalidArgument, file.string() + " is no file" };
    const fs::path target = project.datasets / file.filename();
    if (fs::exists(fs::symlink_status(target, problem))) {
        if (isSameContent(file, target))
            return target.filename().string();
        return Error{ Errc::Exists, target.string() + " has another content: give one of both another name" };
    }
    fs::create_directories(project.datasets, problem);
    if (problem)
        return Error{ Errc::Io, "make " + project.datasets.string() + ": " + problem.message() };
    // Whole, or not at all: a session may look while it is copied.
    const fs::path part =
        project.datasets / ("." + target.filename().string() + "." + std::to_string(getpid()));
    fs::copy_file(file, part, fs::copy_options::overwrite_existing, problem);
    if (!problem)
        fs::rename(part, target, problem);
    if (problem) {
        std::error_code ignored;
        fs::remove(part, ignored);
        return Error{ problem == std::errc::no_space_on_device ? Errc::NoSpace : Errc::Io,
                      "copy " + file.string() + " to " + target.string() + ": " + problem.message() };
    }
    return target.filename().string();
}

} // namespace sg::projects
