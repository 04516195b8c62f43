#pragma once

#include "ui/graph/layout/drawing_layout.h"
#include "ui/jobs/latest_job.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

class QProcess;

namespace sg::ui {

// Finds places for all nodes of a graph: with Graphviz's dot in a process of its own, or with the layered
// layout on another thread if dot is missing, fails or takes too long. GUI thread only; only the newest
// request is answered, and no answer comes after this object is destroyed.
class Arranger : public QObject {
    Q_OBJECT
public:
    using Places = std::vector<LayoutPoint>; // the centres of the drawing's nodes
    using Done = std::function<void(const Places& places)>;

    explicit Arranger(QObject* parent = nullptr);
    ~Arranger() override;
    void setProgram(const QString& path) { m_program = path; } // path of dot; empty forces the layered layout
    // `pinned` has an entry for each node of the drawing: the centre of a node that must stay, else nothing.
    void start(const GraphDrawing& drawing, const std::vector<std::optional<LayoutPoint>>& pinned,
               const Done& done);
    [[nodiscard]] bool isRunning() const { return static_cast<bool>(m_done); }

private:
    void startProgram();
    void stopProgram();
    void takeOutput(bool isWhole);
    void layOutHere();
    void finish(Places places);

    QString m_program;
    GraphDrawing m_drawing;
    std::vector<double> m_labelWidths;
    std::vector<std::optional<LayoutPoint>> m_pinned;
    Done m_done;
    QProcess* m_process = nullptr;
    QTimer m_tooLong;
    LatestJob m_own;
};

} // namespace sg::ui
