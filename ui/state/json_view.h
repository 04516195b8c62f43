#pragma once

#include "core/base/value.h"

#include <QPlainTextEdit>

namespace sg::ui {

// A value as indented JSON, read-only, with coloured syntax. Longer text is cut with a note.
class JsonView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit JsonView(QWidget* parent = nullptr);
    void setValue(const Value& value);

protected:
    void changeEvent(QEvent* event) override;

private:
    class Highlighter;
    Highlighter* m_highlighter;
};

} // namespace sg::ui
