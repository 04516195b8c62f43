#include "core/base/file.h"
#include "core/exchange/drawing.h"
#include "core/exchange/picture.h"
#include "core/graph/graph_file.h"
#include "tests/support/cpu_time.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QXmlStreamReader>

#include <cmath>

using namespace sg;
using namespace sg::exchange;

namespace {

const std::string kData = SG_SOURCE_DIR "/tests/data/";

graph::Graph chain(int nodes)
{
    graph::Graph graph;
    std::string before = graph::kStart;
    for (int i = 0; i < nodes; ++i) {
        graph::Node node;
        node.name = NodeId("n" + std::to_string(i));
        node.kind = "jq";
        graph.nodes.push_back(node);
        graph.edges.push_back({ { NodeId(before) }, node.name, false });
        if (i % 3 != 0)
            before = node.name.value;
    }
    return graph;
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsEveryPart_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<std::string>("expected");
        QTest::newRow("dot") << int(PictureFormat::Dot) << std::string("graph/drawn.dot");
        QTest::newRow("mermaid") << int(PictureFormat::Mermaid) << std::string("exchange/drawn.mmd");
        QTest::newRow("svg") << int(PictureFormat::Svg) << std::string("exchange/drawn.svg");
    }
    void drawsEveryPart()
    {
        QFETCH(int, format);
        QFETCH(std::string, expected);
        const auto file = graph::loadGraph(kData + "graph/drawn.graph.json");
        SG_VERIFY_OK(file);
        const auto text = readFile(kData + expected);
        SG_VERIFY_OK(text);
        QCOMPARE(picture(file->graph, static_cast<PictureFormat>(format)), *text);
    }

    // Each line was compared with each card: 30,000 nodes took 10 s and more.
    void drawsManyNodesInTime_data()
    {
        QTest::addColumn<bool>("fansOut");
        QTest::addColumn<bool>("hasLayout");
        QTest::newRow("chain") << false << false;
        QTest::newRow("fan") << true << false;
        QTest::newRow("fan with a layout") << true << true;
    }
    void drawsManyNodesInTime()
    {
        QFETCH(const bool, fansOut);
        QFETCH(const bool, hasLayout);
        graph::Graph graph = chain(fansOut ? 1 : 30'000);
        for (int i = 1; fansOut && i < 30'000; ++i) {
            graph::Node node;
            node.name = NodeId("n" + std::to_string(i));
            node.kind = "jq";
            graph.nodes.push_back(node);
            graph.edges.push_back({ { NodeId("n0") }, node.name, false });
            graph.edges.push_back({ { node.name }, NodeId(graph::kEnd), false });
            if (hasLayout)
                graph.layout.emplace_back(node.name, graph::Position{ 300.0 * (i % 100), 100.0 * i / 100 });
        }
        const test::CpuTime cpu;
        const std::string text = picture(graph, PictureFormat::Svg);
        QVERIFY(text.size() > 30'000U * 100);
        QVERIFY2(cpu.ms() < 6000, std::to_string(cpu.ms()).c_str());
    }

    // Names come from files of others.
    void keepsHostileNamesInside()
    {
        graph::Graph graph = chain(1);
        graph.name = "</title><script>alert(1)</script>";
        graph.nodes[0].name = NodeId("\"/><script>&\x01");
        graph.nodes[0].kind = "<b>";
        const std::string text = picture(graph, PictureFormat::Svg);
        QXmlStreamReader reader(QString::fromStdString(text));
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement)
                QVERIFY2(reader.name() != QLatin1String("script") && reader.name() != QLatin1String("b"),
                         text.c_str());
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        const std::string mermaid = picture(graph, PictureFormat::Mermaid);
        QVERIFY2(mermaid.find("<script>") == std::string::npos, mermaid.c_str());
    }

    void drawsNotesAndFrames()
    {
        graph::Graph graph = chain(1);
        graph.notes.push_back(
            { "a <word> and more that do not fit in one line", { 0, 100 }, { 120, 60 }, false, {} });
        graph.notes.push_back({ "Title", { -100, std::nan("") }, { 1e300, 80 }, true, {} });
        const std::string text = picture(graph, PictureFormat::Svg);
        QXmlStreamReader reader(QString::fromStdString(text));
        QStringList words;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement
                && reader.attributes().value(QStringLiteral("class")).startsWith(QLatin1String("words")))
                words << reader.readElementText();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(words,
                 (QStringList{ QStringLiteral("a <word> and"), QStringLiteral("more that do"),
                               QStringLiteral("not fit in one"), QStringLiteral("Title") }));
    }

    void placesWhatHasNoPlace()
    {
        graph::Graph graph = chain(40);
        graph.layout.push_back({ NodeId("n3"), { 500, 300 } });
        graph.layout.push_back({ NodeId("n4"), { std::nan(""), 1e300 } });
        const Drawing drawing = drawingOf(graph);
        QCOMPARE(drawing.cards.size(), std::size_t(42));
        for (std::size_t i = 0; i < drawing.cards.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const auto& a = drawing.cards[i].centre;
                const auto& b = drawing.cards[k].centre;
                QVERIFY2(std::abs(a.x - b.x) >= kCardWidth / 2 || std::abs(a.y - b.y) >= kCardHeight,
                         (drawing.cards[i].name + " " + drawing.cards[k].name).c_str());
            }
        QCOMPARE(drawing.cards[4].centre, (graph::Position{ 500, 300 }));
    }

    void drawsAnEmptyGraph() { QVERIFY(picture({}, PictureFormat::Svg).find("</svg>") != std::string::npos); }
};

SG_TEST(TestPictures)
#include "tst_pictures.moc"
