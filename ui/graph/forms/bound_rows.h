#pragma once

#include "core/graph/graph.h"
#include "ui/graph/forms/form_rows.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;

namespace sg::ui {

class GraphDocument;

// Rows of a form, each bound to one place of the document's graph. Typing makes a step at once, or shows a
// fault below the field if the text cannot be understood. fill() shows what the document holds, without
// moving the cursor of a field that shows it already. `read` returns the present value; `write` stores one in
// the graph that it gets.
class BoundRows : public FormRows {
    Q_OBJECT
public:
    explicit BoundRows(GraphDocument& document, QWidget* parent = nullptr);

    // Names what the rows edit. Consecutive steps of one field merge as long as the scope stays the same.
    void setScope(const QString& scope);
    void fill();

    struct Range {
        double least = 0;
        double most = std::numeric_limits<double>::max();
        bool isWhole = false;
    };
    using Names = std::optional<std::vector<std::string>>;
    template<typename Kind>
    using Read = std::function<Kind()>;
    template<typename Kind>
    using Write = std::function<void(graph::Graph& graph, const Kind& value)>;

    QLineEdit* bindText(const QString& title, const QString& placeholder, const Read<QString>& read,
                        const Write<QString>& write);
    QPlainTextEdit* bindProgram(const QString& title, int lines, const Read<QString>& read,
                                const Write<QString>& write);
    // Accepts any JSON, or nothing.
    QPlainTextEdit* bindJson(const QString& title, int lines, const Read<std::optional<Value>>& read,
                             const Write<std::optional<Value>>& write);
    // Accepts one JSON object, or nothing.
    QPlainTextEdit* bindObject(const QString& title, int lines, const Read<ValueMap>& read,
                               const Write<ValueMap>& write);
    QLineEdit* bindNumber(const QString& title, const QString& placeholder, const Range& range,
                          const Read<std::optional<double>>& read, const Write<std::optional<double>>& write);
    // "[]" is the empty list. `faultOf` says what is wrong with a name, empty if nothing is; its fault is
    // shown, but the step is made.
    QLineEdit* bindNames(const QString& title, const QString& placeholder, const Read<Names>& read,
                         const Write<Names>& write,
                         const std::function<QString(const std::string&)>& faultOf = {});
    QCheckBox* bindFlag(const QString& title, const QString& words, const Read<bool>& read,
                        const Write<bool>& write);
    QComboBox* bindChoice(const QString& title, const QStringList& words, const Read<int>& read,
                          const Write<int>& write);
    void onFill(const std::function<void()>& done) { m_fill.push_back(done); }

private:
    using FaultOf = std::function<QString(const Value&)>;
    QPlainTextEdit* bindValue(const QString& title, int lines, const std::optional<Value>& nothing,
                              const Read<std::optional<Value>>& read,
                              const Write<std::optional<Value>>& write, const FaultOf& faultOf);
    void edit(const QString& title, const std::function<void(graph::Graph&)>& change, bool merges = true);

    GraphDocument& m_document;
    QString m_scope;
    bool m_isOther = false; // the scope changed: half typed text belongs to the old one
    std::vector<std::function<void()>> m_fill;
};

} // namespace sg::ui
