#pragma once

#include "core/graph/graph_file.h"
#include "ui/code/code_view.h"

#include <QString>

#include <vector>

namespace sg::ui {

// Marks for the problems of a node's setting "jq" or "file", on the line that a message names.
std::vector<CodeMark> problemMarks(const std::vector<graph::Problem>& problems, std::size_t node,
                                   const std::string& setting);

// Marks for Python's errors in a code file: "nodes/plan.py:3:5: SyntaxError: …", whichever node names it.
std::vector<CodeMark> pythonMarks(const std::vector<graph::Problem>& problems, const QString& file);

// Marks the innermost line of `file` in a Python traceback, at its present position in `text`; no mark if the
// line is not there any more.
std::vector<CodeMark> tracebackMarks(const QString& traceback, const QString& file, const QString& message,
                                     const QString& text);

} // namespace sg::ui
