#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <string_view>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace sg::ui {

class FormRows;
class GraphDocument;
class GraphSettingsForm;
class ModeForm;

// Edits what belongs to no node: name, description, the channels of the state with the effect of two writes,
// and the execution mode.
class GraphForm : public QWidget {
    Q_OBJECT
public:
    explicit GraphForm(GraphDocument& document, QWidget* parent = nullptr);
    [[nodiscard]] QWidget* modeForm() const;
    // The widget for the place of a JSON pointer: a channel or the execution mode; null for other places.
    [[nodiscard]] QWidget* fieldOf(std::string_view pointer) const;

private:
    struct Row {
        QLineEdit* name;
        QComboBox* rule;
        QLineEdit* initial;
        QCheckBox* detail; // the question that its rule leaves open
        QLineEdit* every; // a channel that is stored as changes is stored whole after so many of them
        QLabel* fault;
    };
    void fill();
    void buildRows(std::size_t count);
    void addRow(std::size_t index);
    void fillRow(std::size_t index);
    void rename(std::size_t index);
    void setRule(std::size_t index, int rule);
    void setInitial(std::size_t index, const QString& json);
    void addDetails(Row& row, std::size_t index);
    void fillDetails(const Row& row, const graph::Channel& channel);
    void setEvery(std::size_t index, const QString& count);
    void addOne();

    GraphDocument& m_document;
    QLabel* m_title;
    FormRows* m_head;
    QLineEdit* m_name;
    QLineEdit* m_description;
    ModeForm* m_mode;
    GraphSettingsForm* m_settings;
    QWidget* m_table = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<Row> m_rows;
};

} // namespace sg::ui
