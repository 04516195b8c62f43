#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <functional>
#include <initializer_list>
#include <vector>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace sg::ui {

class ChoiceCard;
class FormRows;
class GraphDocument;
class InkLabel;

// Asks how the graph's sessions run, by questions with one answer each: where a session lives, which data it
// may read, what isolates it, who shares it, and its limits. Each answer is a step of the document and one
// line of the file; defaults are left out of the file.
class ModeForm : public QWidget {
    Q_OBJECT
public:
    explicit ModeForm(GraphDocument& document, QWidget* parent = nullptr);

private:
    struct Answer {
        std::string value; // as in the file; the first answer is the default
        QString name;
        QString meaning;
        bool warns = false;
    };
    struct Question {
        std::vector<std::string> values;
        std::vector<ChoiceCard*> cards;
        std::function<std::string(const graph::SandboxSettings&)> read;
    };
    using Read = std::function<std::string(const graph::SandboxSettings&)>;
    using Write = std::function<void(graph::SandboxSettings&, const std::string&)>;
    static std::vector<Answer> backendAnswers();
    void ask(const QString& question, const std::vector<Answer>& answers, const Read& read,
             const Write& write);
    template<typename Number>
    void addLimit(const QString& title, const char* unit, double builtIn,
                  std::optional<Number> graph::SandboxLimits::*limit, double least, double most);
    void addConnection();
    void fill();

    GraphDocument& m_document;
    QVBoxLayout* m_column;
    FormRows* m_place; // which connection, where sessions live elsewhere
    FormRows* m_limits;
    std::vector<Question> m_questions;
    std::vector<std::function<void()>> m_fill;
    InkLabel* m_warning;
    InkLabel* m_elsewhere; // what a move elsewhere leaves behind
    InkLabel* m_summary;
};

// "TMPFS" or "BIND", and "NONE", "LOCAL_RO", "API" or "HYBRID", even if the file says both in one word.
std::string storageOf(const graph::SandboxSettings& sandbox);
std::string datasetsOf(const graph::SandboxSettings& sandbox);
// Returns the settings of a graph that need this machine: a session elsewhere does not take them.
QStringList leftBehind(const graph::SandboxSettings& sandbox);
// Names the nodes that read data which the mode does not give them; empty if there are none.
QString misfitOf(const graph::Graph& graph);

} // namespace sg::ui
