#pragma once

#include "core/graph/graph_file.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_document.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

// Tests of the inspector's forms fill in and read fields by these.
namespace sg::test {

// As it is saved, without spaces: what lies where on a line is not the question.
inline QString saved(const ui::GraphDocument& document)
{
    QString text = QString::fromStdString(graph::graphText(document.whole()));
    return text.remove(QLatin1Char('\n')).remove(QLatin1Char(' '));
}

// The field of that title that is not hidden; null: none.
inline QWidget* fieldOf(const QWidget& form, const QString& title)
{
    for (QWidget* field : form.findChildren<QWidget*>())
        if (field->accessibleName() == title && !field->isHidden())
            return field;
    return nullptr;
}

// Types a text, picks an entry by its beginning, or clicks where `text` is "on" or "off".
inline bool set(const QWidget& form, const QString& title, const QString& text)
{
    QWidget* field = fieldOf(form, title);
    if (auto* line = qobject_cast<QLineEdit*>(field)) {
        line->selectAll();
        text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
        return true;
    }
    if (auto* code = qobject_cast<QPlainTextEdit*>(field)) {
        code->setPlainText(text);
        return true;
    }
    if (auto* flag = qobject_cast<QCheckBox*>(field)) {
        if (flag->isChecked() != (text == QLatin1String("on")))
            flag->click();
        return true;
    }
    if (auto* choice = qobject_cast<QComboBox*>(field)) {
        const int index = choice->findText(text, Qt::MatchStartsWith);
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
        return index >= 0;
    }
    return false;
}

inline graph::Graph graphWith(const char* kind)
{
    graph::Graph graph = graphFromText("start>a>b>end");
    graph.nodes[0].kind = kind;
    graph.channels.push_back({});
    graph.channels.back().name = "rows";
    if (graph.nodes[0].kind == "subgraph")
        graph.nodes[0].subgraph = std::make_shared<graph::Graph>(graphFromText("start>x>end"));
    return graph;
}

} // namespace sg::test
