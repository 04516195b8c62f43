#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "ui/bridge/rows/input_rows.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace sg::ui {

class InkLabel;

// Returns what a text in a field of that type means. No value: it is empty, and nothing is given.
Result<std::optional<Value>> inputValueOf(InputFieldRow::Type type, const QString& text);
QString inputTextOf(InputFieldRow::Type type, const Value& value); // the other way

// One field: the channel's name and type, an editor, and below it what will be given or what is wrong.
class InputFieldEdit : public QWidget {
    Q_OBJECT
public:
    InputFieldEdit(const InputFieldRow& field, QWidget* parent);
    [[nodiscard]] const InputFieldRow& field() const { return m_field; }
    void setValue(const Value* value); // null: nothing is given
    [[nodiscard]] std::optional<Value> value() const; // none: empty or wrong
    [[nodiscard]] bool isWrong() const { return m_isWrong; }
    [[nodiscard]] QWidget* editor() const;

Q_SIGNALS:
    void edited();

private:
    [[nodiscard]] QString text() const;
    void check();
    [[nodiscard]] QString hint() const;

    const InputFieldRow m_field;
    QLineEdit* m_line = nullptr; // one of these three
    QPlainTextEdit* m_lines = nullptr;
    QComboBox* m_flag = nullptr;
    InkLabel* m_note;
    InkLabel* m_fault;
    bool m_isWrong = false;
};

} // namespace sg::ui
