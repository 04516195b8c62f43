// The guide in the window: all of it is there, what is searched is found.

#include "tests/support/window_style.h"
#include "ui/guide/guide_chapters.h"
#include "ui/guide/guide_window.h"
#include "ui/widgets/filter_edit.h"

#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QTest>
#include <QTextBrowser>

#include <algorithm>

using namespace sg::ui;

class TestGuide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allOfItIsThere()
    {
        const QStringList files = QDir(QStringLiteral(SG_BIN_DIR "/../share/sandglass/guide"))
                                      .entryList({ QStringLiteral("*.md") }, QDir::Files);
        QCOMPARE(static_cast<qsizetype>(guideChapters().size()) + 1, files.size()); // and the index
        for (const GuideChapter& chapter : guideChapters()) {
            QVERIFY2(chapter.text.size() > 500, qPrintable(chapter.name));
            QVERIFY2(!chapter.title.isEmpty()
                         && chapter.text.startsWith(QStringLiteral("# ") + chapter.title),
                     qPrintable(chapter.name));
        }
    }

    void aChapterIsOpened()
    {
        GuideWindow guide(nullptr);
        guide.open(QStringLiteral("checkpoints"));
        QCOMPARE(guide.chapter(), QStringLiteral("checkpoints"));
        const auto& all = guideChapters();
        const auto chapter = std::find_if(all.begin(), all.end(), [](const auto& each) {
            return each.name == QStringLiteral("checkpoints");
        });
        QVERIFY(guide.findChild<QTextBrowser*>()->toPlainText().startsWith(chapter->title));
    }

    void searches()
    {
        GuideWindow guide(nullptr);
        guide.show();
        auto* edit = guide.findChild<FilterEdit*>();
        auto* list = guide.findChild<QListWidget*>();
        edit->setFilter(QStringLiteral("KEEP-session"));
        QVERIFY(list->count() > 0 && list->count() < static_cast<int>(guideChapters().size()));
        auto* text = guide.findChild<QTextBrowser*>();
        QVERIFY(!text->extraSelections().isEmpty());
        QCOMPARE(text->textCursor().selectedText().toLower(), QStringLiteral("keep-session"));
        edit->setFilter(QStringLiteral("no-such-word-anywhere"));
        QCOMPARE(list->count(), 0);
        const auto labels = guide.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("No chapter"));
        }));
        guide.open(QStringLiteral("sessions"));
        QCOMPARE(list->count(), static_cast<int>(guideChapters().size()));
        QVERIFY(edit->text().isEmpty());
    }

    void linksStayInside()
    {
        GuideWindow guide(nullptr);
        guide.open(QStringLiteral("sessions"));
        Q_EMIT guide.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("isolation.md")));
        QCOMPARE(guide.chapter(), QStringLiteral("isolation"));
        Q_EMIT guide.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("file:///etc/passwd")));
        QCOMPARE(guide.chapter(), QStringLiteral("isolation"));
    }
};

SG_WINDOW_TEST(TestGuide)
#include "tst_guide.moc"
