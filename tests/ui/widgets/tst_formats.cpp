#include "tests/support/window_test.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/rich_sentence.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QLocale>

#include <limits>

using namespace sg::ui;

namespace {
QString plain(QString text)
{
    return text.replace(QChar(0x00A0), QLatin1Char(' ')).replace(QChar(0x202F), QLatin1Char(' '));
}
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
} // namespace

class TestFormats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void bytes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        const auto row = [](qint64 bytes, const char* text) {
            QTest::newRow(text) << bytes << QString::fromLatin1(text);
        };
        row(0, "0 B");
        row(999, "999 B");
        row(1000, "1 kB");
        row(6200, "6.2 kB");
        row(9960, "10 kB");
        row(48211, "48 kB");
        row(999600, "1 MB");
        row(1100000, "1.1 MB");
        row(std::numeric_limits<qint64>::max(), "9223 PB");
    }
    void bytes()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(plain(formatBytes(bytes)), text);
    }

    void memory()
    {
        constexpr double mib = 1024.0 * 1024.0;
        QCOMPARE(plain(formatMemory(188 * mib)), QStringLiteral("188 MiB"));
        QCOMPARE(plain(formatMemory(1536 * mib)), QStringLiteral("1.5 GiB"));
        QCOMPARE(plain(formatMemory(2048 * mib)), QStringLiteral("2 GiB"));
        QCOMPARE(plain(formatMemory(kNan)), QStringLiteral("–"));
        QCOMPARE(plain(formatMemoryOf(503 * mib, 512 * mib)), QStringLiteral("503 of 512 MiB"));
        QCOMPARE(plain(formatMemoryOf(100 * mib, 2048 * mib)), QStringLiteral("100 MiB of 2 GiB"));
        QCOMPARE(plain(formatMemoryOf(100 * mib, 0)), QStringLiteral("100 MiB"));
        QCOMPARE(plain(formatCount(1284)), QStringLiteral("1 284"));
        QCOMPARE(plain(formatCount(-14200000)), QStringLiteral("−14 200 000"));
        QCOMPARE(plain(formatCount(7)), QStringLiteral("7"));
    }

    void durations_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        const auto row = [](double seconds, const char* text) {
            QTest::newRow(text) << seconds << QString::fromUtf8(text);
        };
        row(0.00002, "20 µs");
        row(0.0013, "1.3 ms");
        row(0.34, "340 ms");
        row(0.9996, "1.0 s");
        row(1.24, "1.2 s");
        row(42, "42 s");
        row(59.7, "1 min 0 s");
        row(151, "2 min 31 s");
        row(3900, "1 h 05 min");
        row(kNan, "–");
        row(-1, "–");
    }
    void durations()
    {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(plain(formatDuration(seconds)), text);
    }

    void clocks()
    {
        const QDateTime when(QDate(2026, 11, 17), QTime(14, 28, 47, 200));
        const double ms = static_cast<double>(when.toMSecsSinceEpoch());
        QCOMPARE(formatClock(ms), QStringLiteral("14:28:47"));
        QCOMPARE(formatClockMs(ms), QStringLiteral("14:28:47.200"));
        QCOMPARE(formatDay(ms, when.addSecs(60)), QStringLiteral("today, 14:28"));
        QCOMPARE(formatDay(ms, when.addDays(1)), QStringLiteral("yesterday, 14:28"));
        QCOMPARE(formatDay(ms, when.addDays(20)), QStringLiteral("Nov 17"));
        QCOMPARE(formatDay(ms, when.addDays(200)), QStringLiteral("2026 Nov 17"));
        QCOMPARE(formatClock(kNan), QStringLiteral("–"));
        QCOMPARE(formatClock(1e300), QStringLiteral("–"));
        QCOMPARE(formatCountdown(1630), QStringLiteral("0:27:10"));
        QCOMPARE(formatCountdown(-3), QStringLiteral("0:00:00"));
    }

    void sentencesCannotBecomeMarkup()
    {
        QCOMPARE(richSentence(QStringLiteral("a <b> & c")), QStringLiteral("a &lt;b&gt; &amp; c"));
        QCOMPARE(richSentence(QStringLiteral("**model** ran")), QStringLiteral("<b>model</b> ran"));
        QVERIFY(richSentence(QStringLiteral("saved to `/a/**`")).endsWith(QStringLiteral("/a/**</span>")));
        QVERIFY(richSentence(QStringLiteral("open `code")).endsWith(QStringLiteral("</span>")));
    }
};

SG_WINDOW_TEST(TestFormats)
#include "tst_formats.moc"
