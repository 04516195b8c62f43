#pragma once

#include "core/exchange/python_project.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

// These functions write the files around the package's modules.
namespace sg::exchange {

struct ProjectFrame {
    std::string package;
    std::string description; // one line
    bool usesJq = false;
    std::vector<std::string> requirements; // of the graph and its nodes, without hashes
    std::vector<std::string> foreignImports;
    std::vector<std::string> moduleFolders; // in the package; its code imports modules from them
    std::vector<std::string> notes;
    graph::StoreSettings store;
    std::string durability;
};

std::string pyprojectText(const ProjectFrame& frame);
std::string readmeText(const ProjectFrame& frame);
std::string mainText(const ProjectFrame& frame); // __main__.py
std::string initText(const ProjectFrame& frame); // __init__.py

} // namespace sg::exchange
