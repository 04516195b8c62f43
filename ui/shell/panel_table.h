#pragma once

#include <QWidget>

#include <span>
#include <vector>

namespace sg::ui {

class CanvasPanel;
struct PanelParts;

// A panel and its dock.
struct PanelRow {
    const char* name; // of the dock: layouts that were saved name it, so it never changes
    const char* title; // of its tab, in English: the Window menu and `--panel` name it
    Qt::DockWidgetArea area;
    const char* icon; // where the dock is folded away
    const char* beside; // it is a tab of that dock; empty: it has a place of its own
    const char* chapter; // of the guide
    QWidget* (*make)(const PanelParts& parts, CanvasPanel& canvas, QWidget* parent);
    bool isRare = false; // it stands in the menu behind the bottom tabs until it is wanted
};

// Returns the rows in the order of the Window menu.
std::span<const PanelRow> panelTable();

// The panels of one window, by their class.
class PanelSet {
public:
    PanelSet(const PanelParts& parts, CanvasPanel& canvas, QWidget* window);

    [[nodiscard]] const std::vector<QWidget*>& panels() const { return m_panels; } // one a row
    template<typename Panel>
    [[nodiscard]] Panel& of() const
    {
        Panel* found = nullptr;
        for (QWidget* each : m_panels)
            if (auto* panel = qobject_cast<Panel*>(each))
                found = panel;
        Q_ASSERT(found != nullptr); // a row of the table makes it
        return *found;
    }

private:
    std::vector<QWidget*> m_panels;
};

} // namespace sg::ui
