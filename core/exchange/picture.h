#pragma once

#include "core/graph/graph.h"

#include <string>

// Draws graphs as pictures in text formats.
namespace sg::exchange {

enum class PictureFormat {
    Dot, // Graphviz source
    Mermaid, // flowchart source: what Markdown on the web draws
    Svg, // with the canvas's positions and light colours
};

std::string picture(const graph::Graph& graph, PictureFormat format);

} // namespace sg::exchange
