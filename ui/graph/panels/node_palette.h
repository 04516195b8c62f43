#pragma once

#include <QFrame>
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

// A search field above a list: typed words filter, arrows move, Enter chooses. As a popup it closes after the
// choice; in a dock its entries can be dragged.
class NodePalette : public QFrame {
    Q_OBJECT
public:
    enum class Use { Popup, Dock };
    explicit NodePalette(Use use, QWidget* parent = nullptr);

    void setEntries(const std::vector<PaletteEntry>& entries);
    void popUp(const QPoint& globalPos, const QString& placeholder);

Q_SIGNALS:
    void chosen(const QString& id);
    void dismissed(); // the popup was closed without a choice

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    class List;
    void filter(const QString& words);
    void choose();
    void step(int by);

    Use m_use;
    QLineEdit* m_search;
    QListWidget* m_list;
    std::vector<PaletteEntry> m_entries;
    bool m_chosen = false;
};

} // namespace sg::ui
