#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

struct GuideChapter {
    QString name; // "checkpoints"
    QString title;
    QString text; // Markdown
};

// The compiled-in guide, in the order of its index. GUI thread.
const std::vector<GuideChapter>& guideChapters();

// The number of occurrences of the words in a chapter, ignoring case; 0 if one of them is missing.
int guideHits(const GuideChapter& chapter, const QString& words);

} // namespace sg::ui
