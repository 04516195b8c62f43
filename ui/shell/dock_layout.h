#pragma once

#include "ui/shell/layout_state.h"
#include "ui/widgets/badge.h"

#include <QList>
#include <QMap>
#include <QObject>
#include <QSize>

#include <optional>
#include <span>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;

namespace sg::ui {

class DockMoves;
class DockRails;
class MorePanels;
struct PanelRow;

// The docks around the canvas: where they stand, how large they are at first, and what the user made of them,
// in each of four layouts and in those that the user saved under names of their own.
class DockLayout : public QObject {
    Q_OBJECT
public:
    enum class Layout { Build, Debug, Session, Review };

    // One dock a row, with the panel that stands at the same place.
    DockLayout(QMainWindow& window, std::span<const PanelRow> rows, const std::vector<QWidget*>& panels);

    // Restores docks as they were left, or the first layout if nothing was saved or it does not fit this
    // version. The window must have its size already: sizes of docks are shares of it.
    void restore(const QByteArray& saved);
    [[nodiscard]] QByteArray save(); // ends a preview
    void reset(); // the shown layout, as it was at first, or as it was saved
    // Shows docks as the user left them in that layout; the shown one is kept as it is now.
    void show(Layout layout);
    [[nodiscard]] std::optional<Layout> layout() const; // none: it is one of the user's own
    [[nodiscard]] const QString& layoutKey() const
    {
        return m_key;
    } // of the shown one, the same in each start

    // Layouts of the user's own, by name.
    [[nodiscard]] QStringList ownLayouts() const { return m_own.keys(); }
    [[nodiscard]] QString ownLayout() const; // the shown one; empty: it is one of the four
    void showOwn(const QString& name);
    void saveAs(const QString& name); // what is shown now, in place of what had that name
    void removeOwn(const QString& name); // where it is shown, Debug is shown then

    [[nodiscard]] DockMoves& moves() const { return *m_moves; }
    // Shows documents again if the layout has none.
    void showCentre();
    // Hides all docks, for a page that has no use for them; they come back as they were.
    void setBare(bool isBare);
    void toggleArea(Qt::DockWidgetArea area); // folds what it shows away, or brings that back
    [[nodiscard]] QList<QWidget*> seenPanels() const; // from left to right, then down
    [[nodiscard]] QList<QAction*> toggleActions() const; // of the docks that can be closed
    // Shows the preview of a replay in the place of what stands below the timeline, which comes back
    // afterwards.
    void showPreview(bool shown);
    QWidget* showTitled(const QString& title); // its panel; null: no dock has that title
    // Makes the timeline as high as it wants, at most 40 % of the window. If the user made it lower, it stays
    // so.
    void fitTimeline(int wantedHeight);
    // Tells whether the shown layout has the timeline folded to its title row; kept for each layout.
    [[nodiscard]] bool isTimelineFolded() const { return left().isTimelineFolded; }
    void setTimelineFolded(bool isFolded);
    void setCount(const QWidget* panel, int count, Badge::Kind kind); // on its tab; 0: none
    void raise(const QWidget* panel); // shows its dock, in front of the tabs beside it
    [[nodiscard]] bool isSeen(const QWidget* panel) const; // not behind another tab

Q_SIGNALS:
    void cameToBeSeen(const QWidget* panel);
    void sightChanged(const QWidget* panel); // it came to be seen, or is not seen any more
    void foldWanted(bool isFolded); // of the timeline, before its layout is shown
    void layoutChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the window's size

private:
    void add(const PanelRow& row, QWidget* panel);
    void place(std::span<const PanelRow> rows);
    [[nodiscard]] QDockWidget* dock(const char* name) const;
    void showKey(const QString& key);
    void showLeft();
    void takeSizesOf(const LayoutState& state);
    [[nodiscard]] QDockWidget* seenAt(Qt::DockWidgetArea area) const; // not the timeline; nullptr: none
    [[nodiscard]] QDockWidget* belowTimeline() const;
    void keepLeft();
    void forgetLeft();
    [[nodiscard]] LayoutState& left() { return m_left[m_key]; }
    [[nodiscard]] LayoutState left() const { return m_left.value(m_key); }
    [[nodiscard]] int mostOfTimeline() const; // the height that it may have now
    void resizeTimeline(int height);
    void arrange(); // as the shown layout is at first
    void showDock(QDockWidget* dock);
    void setCentreShown(bool isShown);

    QMainWindow& m_window;
    const QSize m_size; // of the window before it had docks
    QList<QDockWidget*> m_docks;
    QDockWidget* m_timeline = nullptr;
    QDockWidget* m_log = nullptr;
    QDockWidget* m_replay = nullptr;
    DockRails* m_rails = nullptr;
    DockMoves* m_moves = nullptr;
    MorePanels* m_more = nullptr;
    QList<QDockWidget*> m_covered; // by the preview
    QList<int> m_coveredWidths;
    QByteArray m_first; // places, without sizes that count
    QString m_key; // of the shown layout
    std::optional<QByteArray> m_bare; // there are no docks now: how they stood; empty: as at first
    int m_timelineWants = 0;
    int m_heldFrom = 0; // its height when a line between docks was grasped
    QMap<QString, LayoutState> m_left; // how the user left each layout, by its key
    QMap<QString, LayoutState> m_own; // as the user saved them, by their names
};

} // namespace sg::ui
