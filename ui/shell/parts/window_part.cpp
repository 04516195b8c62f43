#include "ui/shell/parts/window_part.h"

#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/shell/dock_layout.h"

#include <QMainWindow>

namespace sg::ui {
namespace {

constexpr int kLongestMessage = 360; // in the banner; the whole is in its tooltip
constexpr int kLongestDetail = 4000;

} // namespace

PanelParts panelParts(const WindowParts& parts)
{
    return { *parts.clients, *parts.selection, *parts.book, *parts.history, *parts.feed };
}

void tellError(const WindowParts& parts, BannerStack::Owner owner, const UserError& error,
               std::vector<BannerAction> actions)
{
    const bool isLong = error.what.size() > kLongestMessage;
    if (!error.node.isEmpty())
        actions.push_back({ .text = WindowPart::tr("Show traceback"),
                            .run =
                                [selection = parts.selection, docks = parts.docks,
                                 inspector = parts.inspector, node = error.node] {
                                    selection->setNode(node);
                                    docks->raise(inspector);
                                },
                            .withdraws = false });
    parts.banners->tell(
        owner,
        { .kind = Banner::Kind::Error,
          .text = isLong ? error.what.left(kLongestMessage) + QStringLiteral("…") : error.what,
          .toolTip = isLong ? error.what : error.detail.left(kLongestDetail),
          .actions = std::move(actions) });
}

WindowPart::WindowPart(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_window(parts.window)
    , m_clients(parts.clients)
    , m_selection(parts.selection)
    , m_docks(parts.docks)
    , m_banners(parts.banners)
    , m_book(parts.book)
    , m_history(parts.history)
    , m_timeline(parts.timeline)
{
}

} // namespace sg::ui
