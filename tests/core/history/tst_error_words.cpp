// Errors of checkpoint files, as people read them.

#include "core/history/history.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

class TestErrorWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The stored ones are what Python 3.11 prints for repr(error).
    void readsWhatPythonWrites_data()
    {
        QTest::addColumn<std::string>("stored");
        QTest::addColumn<std::string>("words");
        const auto row = [](const char* name, const char* stored, const char* words) {
            QTest::newRow(name) << std::string(stored) << std::string(words);
        };
        row("text", "ValueError('no rows')", "ValueError: no rows");
        row("apostrophe", "ValueError(\"it's\")", "ValueError: it's");
        row("both quotes", "ValueError('it\\'s \"so\"')", "ValueError: it's \"so\"");
        row("lines", "ValueError('a\\n\\tb\\\\n')", "ValueError: a\n\tb\\n");
        row("not printable", "ValueError('\\x1b[31m\\u2028')", "ValueError: \\x1b[31m\\u2028");
        row("no text", "StopIteration()", "StopIteration");
        row("empty text", "ValueError('')", "ValueError");
        row("of a module", "json.decoder.JSONDecodeError('x')", "json.decoder.JSONDecodeError: x");
        row("number", "KeyError(1)", "KeyError(1)");
        row("two arguments", "OSError(2, 'No such file')", "OSError(2, 'No such file')");
        row("two texts", "ValueError('a', 'b')", "ValueError('a', 'b')");
        row("ours", "model failed (see the log)", "model failed (see the log)");
        row("cut", "ValueError('a", "ValueError('a");
        row("cut in an escape", "ValueError('a\\'", "ValueError('a\\'");
        row("nothing", "", "");
        row("brackets", "()", "()");
    }
    void readsWhatPythonWrites()
    {
        QFETCH(std::string, stored);
        QFETCH(std::string, words);
        QCOMPARE(history::errorWords(stored), words);
    }
};

SG_TEST(TestErrorWords)
#include "tst_error_words.moc"
