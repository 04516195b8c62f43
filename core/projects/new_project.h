#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>
#include <vector>

// New projects: their folder, and what they begin with.

namespace sg::projects {

// A template of projects: a folder with one graph file, whose other files are copied.
struct Template {
    enum class Kind { Plain, Example };
    std::string id; // "empty", "python", "penguins"
    Kind kind = Kind::Plain;
    std::filesystem::path folder;
    std::string description; // whole sentences; may be empty
    std::string facts; // of the graph, in a few words: "3 Python nodes, branches"
    graph::Graph graph;
};

struct TemplateFolders {
    std::filesystem::path plain; // resources/templates
    std::filesystem::path examples; // resources/examples
};

// The plain ones come first, led by the empty one, then the examples by name. A folder without a readable
// graph is left out, and so is an example that has a plain one's name. Reads files; any thread.
std::vector<Template> projectTemplates(const TemplateFolders& folders);
// Errc::NotFound names those that there are.
Result<Template> findTemplate(const TemplateFolders& folders, const std::string& id);

struct NewProject {
    std::string name; // of the project and of its graph
    std::filesystem::path folder; // "~" and "~/…" are the user's; folders that do not exist are made
};

// The place of a new project. Nothing is written yet.
struct NewPlace {
    std::filesystem::path folder; // absolute
    std::filesystem::path graph; // folder/NAME.graph.json
    std::vector<std::string> made; // names of the folders that would be made, the uppermost first
};

// Errc::InvalidArgument: the name cannot be a file's, or the place cannot be written to; Errc::Exists: it
// holds a graph already.
Result<NewPlace> placeOf(const NewProject& project);

// Makes it. Nothing is written over (Errc::Exists), and what was made is taken away again where it fails
// halfway.
Result<ProjectPaths> createProject(const NewProject& project, const Template& from);

// Returns the part of a folder from elsewhere that can be opened: itself if it holds a graph, else the
// checkpoint database of a LangGraph program, the newest in it or in its folders. Errc::NotFound says how its
// graph can be brought here.
Result<std::filesystem::path> openableIn(const std::filesystem::path& folder);

// A copy of a project's files below `parent`, without its runs; under its name, or "name-2" where that is
// taken.
Result<ProjectPaths> copyProject(const std::filesystem::path& folder, const std::filesystem::path& parent);

// Returns why a project's folder cannot be worked in: its data could not be written. Empty: it can. What does
// not exist is not judged.
std::string whyReadOnly(const ProjectPaths& project);

// A name that is not taken in `folder`: `name`, else "name-2", …
std::string freeName(const std::filesystem::path& folder, const std::string& name);

} // namespace sg::projects
