#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QVBoxLayout;

namespace sg::ui {

class BoundRows;
class FoldButton;
class GraphDocument;

// The graph's settings for its runs and their sessions, except the execution mode. Both groups are folded
// until they are opened, or if a graph is opened that sets something there.
class GraphSettingsForm : public QWidget {
    Q_OBJECT
public:
    explicit GraphSettingsForm(GraphDocument& document, QWidget* parent = nullptr);

private:
    void addRuns();
    void addStore();
    void addSessions();
    void addReach();
    void addSessionNames(const QString& title, const QString& placeholder,
                         std::vector<std::string> graph::SandboxSettings::*names);
    void addSessionNumber(const QString& title, const QString& placeholder,
                          std::optional<double> graph::SandboxSettings::*seconds);
    void fill();
    [[nodiscard]] const graph::Graph& shown() const;

    GraphDocument& m_document;
    BoundRows* m_runs;
    FoldButton* m_runsFold;
    BoundRows* m_sessions;
    FoldButton* m_sessionsFold;
    bool m_isFirst = true; // a graph was opened just now
};

} // namespace sg::ui
