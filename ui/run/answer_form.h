#pragma once

#include "ui/bridge/rows/answer_fields.h"

#include <QHash>
#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QScrollArea;

namespace sg::ui {

class InkLabel;

// The fields of an answer: each with its name, help, an editor of its type, and below it what is wrong.
class AnswerForm : public QWidget {
    Q_OBJECT
public:
    explicit AnswerForm(QWidget* parent = nullptr);

    void setForm(const AnswerFormRow& form); // empty fields hide it
    [[nodiscard]] bool isEmpty() const { return m_form.fields.empty(); }
    [[nodiscard]] int changes() const; // fields that are not as they came
    // The answer. nullopt: something is wrong, which is shown at its field then.
    [[nodiscard]] std::optional<Value> value();
    void showFault(const AnswerFault& fault); // at its field, which gets the keyboard
    void setCanEdit(bool canEdit, const QString& why);
    void focusFirst();

Q_SIGNALS:
    void edited();

private:
    struct Field {
        AnswerFieldRow row;
        QWidget* editor;
        InkLabel* fault;
    };
    void addField(const AnswerFieldRow& row);
    QWidget* editorOf(const AnswerFieldRow& row);
    [[nodiscard]] QString textOf(const Field& field) const;
    // Returns what the field holds; no value: it is empty.
    [[nodiscard]] std::optional<Value> valueOf(const Field& field, QString& wrong) const;
    void clearFaults();

    AnswerFormRow m_form;
    std::vector<Field> m_fields;
    QScrollArea* m_scroll;
    QWidget* m_body = nullptr;
    QGridLayout* m_grid = nullptr; // of the body
    InkLabel* m_fault; // of the whole answer
};

} // namespace sg::ui
