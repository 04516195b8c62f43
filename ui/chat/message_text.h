#pragma once

#include <QString>
#include <QStringList>
#include <QTextDocument>

#include <memory>
#include <vector>

namespace sg::ui {

// Text from outside, laid out: it loads nothing, and its links lead nowhere.
class InertDocument : public QTextDocument {
    Q_OBJECT
public:
    enum class Form {
        Markdown, // without HTML
        Plain,
        Code, // Python's words in colour
        Output, // as a terminal shows it, without its colours
    };
    InertDocument(Form form, const QString& text, double width);

    [[nodiscard]] Form form() const { return m_form; }
    [[nodiscard]] const QString& source() const { return m_source; }

protected:
    QVariant loadResource(int type, const QUrl& name) override; // returns nothing

private:
    void colourCode();

    const Form m_form;
    const QString m_source;
};

// Parts of a Markdown text that are laid out one by one: paragraphs, lists, fenced code. Joined by empty
// lines they are the text again.
QStringList markdownBlocks(const QString& text);

} // namespace sg::ui
