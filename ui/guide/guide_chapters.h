#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

struct GuideChapter {
    QString name; // "checkpoints"
    QString title;
    QString text; // Markdown
};

// All of the guide that is compiled in, in the order of its index. GUI thread.
const std::vector<GuideChapter>& guideChapters();

// How often the words, with any case, stand in a chapter; 0 where one of them does not.
int guideHits(const GuideChapter& chapter, const QString& words);

// The chapter that tells of a panel, by its dock's object name such as "timelineDock"; "first-graph" for what
// has none of its own.
QString chapterOfPanel(const QString& dock);

} // namespace sg::ui
