#include "core/engine/errors/python_text.h"
#include "core/engine/errors/stored_error.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using sg::engine::parseStoredError;

class TestStoredError : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatPythonWrites_data();
    void readsWhatPythonWrites();
    void readsBackItsOwnTexts();
};

void TestStoredError::readsWhatPythonWrites_data()
{
    QTest::addColumn<QByteArray>("repr");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* repr, const char* type, const char* message) {
        QTest::newRow(repr) << QByteArray(repr) << QByteArray(type) << QByteArray(message);
    };
    row("ValueError('boom')", "ValueError", "boom");
    row("ValueError(\"it's\")", "ValueError", "it's");
    row("my.Error('a\\n\\\\\\x07\\u20ac')", "my.Error", "a\n\\\x07\xE2\x82\xAC");
    row("KeyError('k')", "KeyError", "'k'");
    row("ValueError()", "ValueError", "");
    row("ValueError(3)", "ValueError", "3");
    row("OSError(2, 'no file')", "OSError", "(2, 'no file')");
    row("ValueError('a', 'b')", "ValueError", "('a', 'b')");
    row("ValueError('\\q')", "ValueError", "'\\q'");
    row("ValueError('\\x4')", "ValueError", "'\\x4'");
    row("boom", "", "");
    row("('boom')", "", "");
    row("a b('boom')", "", "");
    row("Error('boom'", "", "");
    row("", "", "");
}

void TestStoredError::readsWhatPythonWrites()
{
    QFETCH(QByteArray, repr);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, message);
    const auto error = parseStoredError(repr.toStdString());
    QCOMPARE(error.has_value(), !type.isEmpty());
    if (!error)
        return;
    QCOMPARE(error->type, type.toStdString());
    QCOMPARE(error->message, message.toStdString());
    QCOMPARE(error->repr, repr.toStdString());
}

void TestStoredError::readsBackItsOwnTexts()
{
    for (const char* text : { "", "plain", "it's", "\"both\" 'kinds'", "\t\n\r\x01\\", "ä€𝄞", "\xC2\x85" }) {
        const auto error = parseStoredError("E(" + sg::engine::pythonRepr(sg::Value(text)) + ")");
        QVERIFY2(error, text);
        QCOMPARE(error->message, std::string(text));
    }
}

SG_TEST(TestStoredError)
#include "tst_stored_error.moc"
