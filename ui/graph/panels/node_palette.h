#pragma once

#include "ui/widgets/overlay.h"

#include <QString>

#include <vector>

class QLineEdit;
class QListWidget;

namespace sg::ui {

struct PaletteEntry {
    QString id; // chosen() emits it
    QString title;
    QString note; // what it does, in a few words
    QLatin1String icon; // name in resources/icons
    QString group; // heading above the first entry of the group
};

// The kinds of nodes that can be added, and what joins nodes: a branch and a waiting edge.
std::vector<PaletteEntry> nodeKindEntries();
inline constexpr const char* kBranchEntry = "edge:branch"; // ids of the latter; no kind has a colon
inline constexpr const char* kWaitingEntry = "edge:waiting";
inline constexpr const char* kNodeKindMime = "application/x-sandglass-node-kind";

// A search field above a list: typed words filter, arrows move, Enter chooses. In a dock its entries can be
// dragged.
class NodePalette : public QFrame {
    Q_OBJECT
public:
    enum class Use { Popup, Dock };
    explicit NodePalette(Use use, QWidget* parent = nullptr);

    void setEntries(const std::vector<PaletteEntry>& entries);
    void begin(const QString& placeholder); // of the search field, which is emptied and gets the focus
    [[nodiscard]] int heightOfRows() const; // without those that one has to scroll to

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class List;
    void filter(const QString& words);
    void choose();
    void step(int by);

    Use m_use;
    QLineEdit* m_search;
    QListWidget* m_list;
    std::vector<PaletteEntry> m_entries;
};

// The palette over the canvas; it closes after the choice.
class NodePopup : public Overlay {
    Q_OBJECT
public:
    explicit NodePopup(QWidget* owner);

    void popUp(const QPoint& globalPos, const std::vector<PaletteEntry>& entries, const QString& title);

Q_SIGNALS:
    void chosen(const QString& id);

private:
    NodePalette* m_palette;
};

} // namespace sg::ui
