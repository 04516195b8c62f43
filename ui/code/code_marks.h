#pragma once

#include "core/graph/graph_file.h"
#include "ui/code/code_view.h"

#include <QString>

#include <vector>

namespace sg::ui {

// What validation says of one setting of a node: "jq", or "file". A message that names a line stands there.
std::vector<CodeMark> problemMarks(const std::vector<graph::Problem>& problems, std::size_t node,
                                   const std::string& setting);

// What Python says of a code file: "nodes/plan.py:3:5: SyntaxError: …", wherever the graph names it.
std::vector<CodeMark> pythonMarks(const std::vector<graph::Problem>& problems, const QString& file);

// The innermost line of `file` in a Python traceback, where that line stands in `text` by now; none where it
// stands in one of them only.
std::vector<CodeMark> tracebackMarks(const QString& traceback, const QString& file, const QString& message,
                                     const QString& text);

} // namespace sg::ui
