#include "tests/support/cpu_time.h"
#include "tests/support/test_main.h"
#include "ui/commands/fuzzy_match.h"

#include <QTest>

using namespace sg::ui;

namespace {

// The text with what matched in capitals, the rest small.
QString marked(const QString& words, const QString& text)
{
    const auto match = fuzzyMatch(words, text);
    if (!match)
        return QStringLiteral("-");
    QString out = text.toLower();
    for (const int at : match->places)
        out[at] = out[at].toUpper();
    return out;
}

} // namespace

class TestFuzzyMatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheBestPlaces_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* words, const char* text, const char* expected) {
            QTest::addRow("%s in %s", words, text)
                << QString::fromUtf8(words) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        row("", "Run", "run");
        row("run", "Run", "RUN");
        row("nur", "Run", "-");
        row("runs", "Run", "-");
        row("rere", "Replay from here", "REplay from heRE");
        row("rfh", "Replay from here", "Replay From Here");
        row("here", "There here", "there HERE"); // a word rather than the first letters
        row("fork h", "Fork from here", "FORK from Here"); // spaces do not count
        row("ÜB", "über", "ÜBer");
        row("s2", "Step 12, step 2", "Step 12, step 2");
    }
    void findsTheBestPlaces()
    {
        QFETCH(QString, words);
        QFETCH(QString, text);
        QTEST(marked(words, text), "expected");
    }

    void ordersWhatMatches()
    {
        const auto score = [](const char* words, const char* text) {
            return fuzzyMatch(QString::fromLatin1(words), QString::fromLatin1(text))
                .value_or(FuzzyMatch{ -1, {} })
                .score;
        };
        QVERIFY(score("run", "Run") > score("run", "Re-run from here"));
        QVERIFY(score("run", "Re-run") > score("run", "Return"));
        QVERIFY(score("stop", "Stop") > score("stop", "Step to the top"));
        QVERIFY(score("undo", "Undo") > score("undo", "Undo all of it"));
        // A whole word goes before one that only begins so, wherever it stands.
        QVERIFY(score("log", "Show the log") > score("log", "Logging settings"));
        QVERIFY(score("next run", "Go to the next run") > score("next run", "Nextcloud runner"));
        QVERIFY(score("fork", "Fork from here…") > score("fork", "Show forks"));
    }

    void longOnesAreBounded()
    {
        const QString text(100'000, QLatin1Char('a'));
        const sg::test::CpuTime time;
        QVERIFY(fuzzyMatch(QString(1000, QLatin1Char('a')), text));
        QVERIFY(time.ms() < 1000);
        QVERIFY(!fuzzyMatch(QStringLiteral("b"), text + QLatin1Char('b'))); // behind what is looked at
    }
};

SG_TEST(TestFuzzyMatch)
#include "tst_fuzzy_match.moc"
