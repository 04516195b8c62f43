#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;

namespace sg::ui {

// The docks around the canvas: where they stand, how large they are at first, and what the user made of them.
class DockLayout : public QObject {
    Q_OBJECT
public:
    struct Panels {
        QWidget* threads;
        QWidget* state;
        QWidget* inspector;
        QWidget* timeline;
        QWidget* log;
        QWidget* session;
        QWidget* variables;
        QWidget* files;
        QWidget* problems;
        QWidget* artifacts;
        QWidget* replay;
        QWidget* palette;
    };

    DockLayout(QMainWindow& window, const Panels& panels);

    // Docks as they were left, or the first layout where nothing was saved or it does not fit this version.
    // The window must have its size already: sizes of docks are shares of it.
    void restore(const QByteArray& saved);
    [[nodiscard]] QByteArray save(); // ends a preview
    void reset();
    [[nodiscard]] QList<QAction*> toggleActions() const; // of the docks that can be closed
    // The preview of a replay in the place of what stands below the timeline, which comes back afterwards.
    void showPreview(bool shown);
    void raise(const QWidget* panel); // shows its dock, in front of the tabs beside it
    [[nodiscard]] bool isSeen(const QWidget* panel) const; // not behind another tab

Q_SIGNALS:
    void cameToBeSeen(const QWidget* panel);

private:
    QDockWidget* add(const QString& name, const QString& title, QWidget* panel, Qt::DockWidgetArea area);
    void setFirstSizes();

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    QDockWidget* m_threads;
    QDockWidget* m_state;
    QDockWidget* m_timeline;
    QDockWidget* m_log;
    QDockWidget* m_artifacts;
    QDockWidget* m_replay;
    QList<QDockWidget*> m_covered; // by the preview
    QByteArray m_first; // places, without sizes that count
};

} // namespace sg::ui
