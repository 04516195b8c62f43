#include "ui/graph/kind_look.h"

#include <QCoreApplication>

#include <algorithm>

namespace sg::ui {

QString translated(std::string_view english)
{
    return english.empty() ? QString()
                           : QCoreApplication::translate("NodeKind", std::string(english).c_str());
}

std::vector<const graph::NodeKind*> kindsOfPalette()
{
    std::vector<const graph::NodeKind*> kinds;
    for (const graph::NodeKind& kind : graph::nodeKinds())
        kinds.insert(std::ranges::find_if(kinds,
                                          [&](const graph::NodeKind* each) {
                                              return each->group == kind.group && each->title > kind.title;
                                          }),
                     &kind);
    return kinds;
}

QString nodeKindTitle(const std::string& kind)
{
    const graph::NodeKind* known = graph::findNodeKind(kind);
    return known ? translated(known->title) : QString::fromStdString(kind);
}

QLatin1String iconOfKind(const std::string& kind)
{
    const graph::NodeKind* known = graph::findNodeKind(kind);
    const std::string_view name = known ? known->icon : "gear";
    return QLatin1String(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace sg::ui
