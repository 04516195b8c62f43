#pragma once

#include "ui/bridge/rows/rows.h"

#include <QStringList>

namespace sg::ui {

// Which artifacts are shown. Every word must match: `node:`, `thread:`, `run:` and `step:` the whole field,
// `type:` what kind of file it is (image, table, text, or an ending), anything else a part of path or node.
// "Two words" in quotes are one.
class ArtifactFilter {
public:
    static ArtifactFilter parse(const QString& text);
    [[nodiscard]] bool matches(const ArtifactRow& row) const;
    [[nodiscard]] bool isOpen() const { return m_words.isEmpty(); }

private:
    struct Word {
        QString field; // empty: any text
        QString value;
    };
    QList<Word> m_words;
};

} // namespace sg::ui
