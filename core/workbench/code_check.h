#pragma once

#include "core/graph/graph_file.h"
#include "core/workbench/project.h"

namespace sg::workbench {

// Adds to the file's problems what Python says about the code files of its nodes, branches and error handlers
// ("bad-python"): they are compiled in a bubblewrap sandbox of their own, about 0.1 s for all of them, and
// nothing of them runs. A graph without any starts none. Where there can be no sandbox, a hint says so.
void checkCode(graph::GraphFile& file, const ProjectPaths& project);

} // namespace sg::workbench
