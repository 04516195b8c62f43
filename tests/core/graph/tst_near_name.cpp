#include "core/graph/near_name.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg::graph;

class TestNearName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatWasMeant_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("near");
        const auto row = [](const char* word, const char* near) { QTest::newRow(word) << word << near; };
        row("doubl", "doubler");
        row("dubler", "doubler");
        row("Doubler", "doubler");
        row("laod", "load");
        row("lo", "");
        row("x", "");
        row("", "");
        row("analyse", "analyze");
        row("visualise", "visualize");
        row("something", "");
    }
    void findsWhatWasMeant()
    {
        QFETCH(QString, word);
        QFETCH(QString, near);
        const std::string text = word.toStdString();
        QCOMPARE(std::string(nearName(text, { "doubler", "load", "analyze", "visualize" }).value_or("")),
                 near.toStdString());
    }

    void asksPolitely()
    {
        QCOMPARE(didYouMean("doubl", { "doubler" }), std::string("; did you mean 'doubler'?"));
        QCOMPARE(didYouMean("xyz", { "doubler" }), std::string());
    }
};

SG_TEST(TestNearName)
#include "tst_near_name.moc"
