#pragma once

#include "ui/bridge/rows/rows.h"

#include <QStringList>

namespace sg::ui {

// Filters the list. Every word must match: `node:`, `thread:`, `run:` and `step:` the whole field, `type:`
// the kind of file (image, table, text, or an extension), anything else a part of the path or node. Quotes
// join words.
class ArtifactFilter {
public:
    static ArtifactFilter parse(const QString& text);
    [[nodiscard]] bool matches(const ArtifactRow& row) const;
    [[nodiscard]] bool isOpen() const { return m_words.isEmpty(); }

private:
    struct Word {
        QString field; // empty for any field
        QString value;
    };
    QList<Word> m_words;
};

} // namespace sg::ui
