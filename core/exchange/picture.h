#pragma once

#include "core/graph/graph.h"

#include <string>

// A graph as a picture, in formats that are text.
namespace sg::exchange {

enum class PictureFormat {
    Dot, // Graphviz source
    Mermaid, // flowchart source: what Markdown on the web draws
    Svg, // places as on the canvas, light colours
};

std::string picture(const graph::Graph& graph, PictureFormat format);

} // namespace sg::exchange
