#pragma once

#include "core/exchange/code_modules.h"
#include "core/exchange/python_project.h"
#include "core/exchange/python_text.h"

#include <set>
#include <string>
#include <vector>

namespace sg::exchange {

// State that the modules of one project share while they are written.
struct ProjectParts {
    CodeModules code;
    PythonNames modules; // in the package's folder
    std::set<std::string, std::less<>> sources; // of python_sources.h
    std::vector<ExportedFile> files; // of the package, relative to it
    std::vector<std::string> notes;
    std::vector<std::string> refusals; // each says what cannot be exported, and why
    bool usesJq = false;

    // Writes "from .NAME import …" for one of our own modules, which then becomes part of the project.
    std::string use(class PythonModule& module, const std::string& source, const std::string& name);
};

} // namespace sg::exchange
