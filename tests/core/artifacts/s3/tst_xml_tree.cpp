#include "core/artifacts/s3/xml_tree.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::artifacts::s3;

class TestXmlTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnAnswer();
    void refuses_data();
    void refuses();
};

void TestXmlTree::readsAnAnswer()
{
    const auto parsed =
        parseXml("<?xml version=\"1.0\"?><a:List xmlns:a=\"u\"><Key>x &amp; <![CDATA[<y>]]></Key>"
                 "<Key>two</Key><Owner><Id/></Owner></a:List>");
    SG_VERIFY_OK(parsed);
    QCOMPARE(parsed->name, std::string("List"));
    QCOMPARE(parsed->textOf("Key"), std::string("x & <y>"));
    QCOMPARE(parsed->children.size(), std::size_t(3));
    QVERIFY(parsed->find("Absent") == nullptr);
    QCOMPARE(xmlEscaped("<\"&>"), std::string("&lt;&quot;&amp;&gt;"));
}

void TestXmlTree::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray bomb = "<!DOCTYPE z [<!ENTITY a \"aaaaaaaaaa\">";
    for (char name = 'b'; name < 'k'; ++name)
        bomb += QByteArray("<!ENTITY ") + name + " \""
            + QByteArray(10, '&').replace("&", QByteArray("&") + char(name - 1) + ";") + "\">";
    QTest::newRow("a bomb") << bomb + "]><z>&j;</z>";
    QTest::newRow("a file from outside") << QByteArray("<!DOCTYPE z SYSTEM \"file:///etc/passwd\"><z/>");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no XML") << QByteArray("{\"a\": 1}");
    QTest::newRow("cut off") << QByteArray("<a><b>");
    QTest::newRow("two") << QByteArray("<a/><b/>");
    QTest::newRow("deep") << QByteArray("<a>").repeated(33) + QByteArray("</a>").repeated(33);
    QTest::newRow("many") << "<a>" + QByteArray("<b/>").repeated(100'001) + "</a>";
    QTest::newRow("large") << "<a>" + QByteArray(9 << 20, 'x') + "</a>";
    QTest::newRow("wrong bytes") << QByteArray("<a>\xff\xfe</a>");
}

void TestXmlTree::refuses()
{
    QFETCH(QByteArray, text);
    const auto parsed = parseXml({ text.constData(), static_cast<std::size_t>(text.size()) });
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, Errc::Corrupt);
}

SG_TEST(TestXmlTree)
#include "tst_xml_tree.moc"
