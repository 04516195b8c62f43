#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/input_rows.h"

#include <QWidget>

#include <vector>

class QToolButton;
class QVBoxLayout;

namespace sg::ui {

class InputFieldEdit;

// The input of a run as fields, one a channel. A field that is empty is not given: the channel keeps what it
// has.
class InputForm : public QWidget {
    Q_OBJECT
public:
    explicit InputForm(QWidget* parent);

    void setFields(const std::vector<InputFieldRow>& fields); // keeps what is filled in
    [[nodiscard]] bool isEmpty() const { return m_edits.empty(); }
    void setValues(const ValueMap& values); // of names without a field, too: they are kept
    [[nodiscard]] ValueMap values() const;
    [[nodiscard]] int faults() const; // fields that cannot be given as they stand
    void focusFirst();

Q_SIGNALS:
    void edited(); // by the user

private:
    void showOthers(bool isShown);

    QVBoxLayout* m_column;
    QToolButton* m_more; // shows those that the graph does not ask for
    std::vector<InputFieldRow> m_fields;
    std::vector<InputFieldEdit*> m_edits; // of the fields
    ValueMap m_others; // values without a field
};

} // namespace sg::ui
