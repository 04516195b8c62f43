#include "ui/guide/guide_chapters.h"

#include <QFile>
#include <QRegularExpression>
#include <QStringList>

// It must be in the global namespace, because Q_INIT_RESOURCE declares a function there.
static void initGuide()
{
    Q_INIT_RESOURCE(guide);
}

namespace sg::ui {
namespace {

QString textOf(const QString& name)
{
    QFile file(QStringLiteral(":/sandglass/guide/") + name + QStringLiteral(".md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::vector<GuideChapter> readChapters()
{
    initGuide();
    static const QRegularExpression link(QStringLiteral("\\]\\(([\\w-]+)\\.md\\)"));
    std::vector<GuideChapter> chapters;
    const QString index = textOf(QStringLiteral("index"));
    for (auto it = link.globalMatch(index); it.hasNext();) {
        GuideChapter chapter;
        chapter.name = it.next().captured(1);
        chapter.text = textOf(chapter.name);
        chapter.title = chapter.text.section(QLatin1Char('\n'), 0, 0).mid(2); // after "# "
        chapters.push_back(chapter);
    }
    return chapters;
}

} // namespace

const std::vector<GuideChapter>& guideChapters()
{
    static const std::vector<GuideChapter> chapters = readChapters();
    return chapters;
}

int guideHits(const GuideChapter& chapter, const QString& words)
{
    int hits = 0;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto found = static_cast<int>(chapter.text.count(word, Qt::CaseInsensitive));
        if (found == 0)
            return 0;
        hits += found;
    }
    return hits;
}

} // namespace sg::ui
