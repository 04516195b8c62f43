#include "core/exchange/picture.h"

#include "core/exchange/dot.h"
#include "core/exchange/mermaid.h"
#include "core/exchange/svg.h"

namespace sg::exchange {

std::string picture(const graph::Graph& graph, PictureFormat format)
{
    switch (format) {
    case PictureFormat::Dot: return toDot(graph);
    case PictureFormat::Mermaid: return mermaid(graph);
    case PictureFormat::Svg: return svg(graph);
    }
    return {};
}

} // namespace sg::exchange
