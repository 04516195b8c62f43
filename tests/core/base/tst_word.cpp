#include "core/base/word.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <string>

using namespace sg;

namespace {

enum class Colour { Red, Green };
constexpr auto namesOf(Colour)
{
    return std::to_array<std::pair<Colour, std::string_view>>({
        { Colour::Red, "red" },
        { Colour::Green, "green" },
    });
}

template<typename A, typename B>
concept Comparable = requires(A a, B b)
{
    a == b;
};

} // namespace

class TestWord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKindHasOneName()
    {
        QCOMPARE(std::string(nameAmong(Colour::Green)), std::string("green"));
        QVERIFY(kindNamed<Colour>("green") == Colour::Green);
        QVERIFY(!kindNamed<Colour>("Green"));
        QVERIFY(!kindNamed<Colour>(""));
    }

    void aWordOfAnotherVersionStaysAsItIs()
    {
        const Word<Colour> word = std::string("blue");
        QVERIFY(!word.kind());
        QCOMPARE(word.text(), std::string("blue"));
        QVERIFY(word != Colour::Red && word != Colour::Green);
        QVERIFY(word == Word<Colour>("blue"));
        QVERIFY(word != Word<Colour>("teal"));
    }

    void aKnownWordIsItsKind()
    {
        const Word<Colour> word = "red";
        QVERIFY(word == Colour::Red);
        QVERIFY(word == Word<Colour>(Colour::Red));
        QCOMPARE(Word<Colour>(Colour::Red).text(), std::string("red"));
    }

    void noWordIsNoKind()
    {
        const Word<Colour> word;
        QVERIFY(word.empty());
        QVERIFY(word != Colour::Red);
    }

    void isNotComparedWithText()
    {
        QVERIFY((Comparable<Word<Colour>, Colour>));
        QVERIFY((!Comparable<Word<Colour>, const char*>));
        QVERIFY((!Comparable<Word<Colour>, std::string>));
    }
};

SG_TEST(TestWord)
#include "tst_word.moc"
