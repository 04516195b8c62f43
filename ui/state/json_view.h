#pragma once

#include "core/base/value.h"

#include <QPlainTextEdit>

namespace sg::ui {

// A value as indented JSON, read-only, in the colours of code. Text beyond a bound is cut and says so.
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
