// Answers with fields: what a schema, a value or a call's arguments make of them, and what is said of a wrong
// one and where.

#include "core/base/json.h"
#include "tests/support/qtest_std.h"
#include "tests/support/window_style.h"
#include "tests/ui/run/questions.h"
#include "ui/run/answer_form.h"
#include "ui/run/interrupt_card.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace sg;
using namespace sg::ui;

namespace {

// A card that asks, and what was answered.
struct Asked {
    explicit Asked(const char* question)
        : answers(&card, &InterruptCard::answered)
    {
        card.resize(800, 500);
        card.setQuestion(*parseJson(question), {}, QStringLiteral("i1"));
    }
    template<typename Editor = QLineEdit>
    Editor* field(const char* name)
    {
        return card.findChild<Editor*>(QStringLiteral("answer-") + QLatin1String(name));
    }
    QString fault(const char* name)
    {
        auto* label = card.findChild<QLabel*>(QStringLiteral("fault-") + QLatin1String(name));
        return label == nullptr || label->isHidden() ? QString() : label->text();
    }
    QPushButton* button(const QString& words)
    {
        for (auto* each : card.findChildren<QPushButton*>())
            if (each->text() == words)
                return each;
        return nullptr;
    }
    void choose(const char* name, const QString& words)
    {
        auto* box = field<QComboBox>(name);
        box->setCurrentIndex(box->findText(words));
    }
    QString answer() { return answers.isEmpty() ? QString() : answers.takeLast().first().toString(); }

    InterruptCard card;
    QSignalSpy answers;
};

} // namespace

class TestAnswerForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aSchemaMakesFields()
    {
        Asked asked(test::kFormQuestion);
        QCOMPARE(asked.field("name")->accessibleName(), QStringLiteral("Full name"));
        QCOMPARE(asked.field("name")->placeholderText(), QStringLiteral("as in the passport"));
        QVERIFY(asked.field<QComboBox>("team") != nullptr && asked.field<QComboBox>("member") != nullptr);
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answers.count(), 0);
        QCOMPARE(asked.fault("name"), QStringLiteral("This is needed"));
        QCOMPARE(asked.fault("team"), QStringLiteral("This is needed"));
        QCOMPARE(asked.fault("note"), QString());
        asked.field("name")->setText(QStringLiteral("Ada"));
        asked.field("age")->setText(QStringLiteral("old"));
        asked.choose("team", QStringLiteral("blue"));
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.fault("age"), QStringLiteral("This is no whole number"));
        QCOMPARE(asked.fault("name"), QString());
        // The words of core's own check stand at their field.
        asked.field("age")->setText(QStringLiteral("3"));
        asked.button(QStringLiteral("Answer"))->click();
        QVERIFY2(asked.fault("age").contains(QLatin1String("minimum 18")), qPrintable(asked.fault("age")));
        QCOMPARE(asked.answers.count(), 0);
        asked.field("age")->setText(QStringLiteral("36"));
        asked.field("tags")->setText(QStringLiteral("[\"x\"]"));
        QTest::keyClick(asked.field("age"), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(asked.answer(),
                 QStringLiteral(
                     "{\"name\":\"Ada\",\"age\":36,\"member\":false,\"team\":\"blue\",\"tags\":[\"x\"]}"));
    }

    void aValueIsChanged()
    {
        Asked asked(test::kEditQuestion);
        QCOMPARE(asked.field("title")->text(), QStringLiteral("T"));
        asked.field("title")->setText(QStringLiteral("U"));
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("{\"title\":\"U\",\"size\":3}"));
    }

    void aTextIsChangedAsAWhole()
    {
        Asked asked(test::kTextQuestion);
        asked.field("answer")->setText(QStringLiteral("x"));
        asked.button(QStringLiteral("Answer"))->click();
        QVERIFY(asked.fault("answer").contains(QLatin1String("minLength")));
        asked.field("answer")->setText(QStringLiteral("12345")); // a text, not a number
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("\"12345\""));
    }

    void aCallIsApprovedAsItIsOrChanged()
    {
        Asked asked(test::kToolQuestion);
        asked.button(QStringLiteral("Approve"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("{\"decisions\":[{\"type\":\"approve\"}]}"));
        asked.field("to")->selectAll();
        QTest::keyClicks(asked.field("to"), QStringLiteral("none"));
        QVERIFY(asked.button(QStringLiteral("Approve with 1 change")) != nullptr);
        asked.button(QStringLiteral("Approve with 1 change"))->click();
        QCOMPARE(
            asked.answer(),
            QStringLiteral("{\"decisions\":[{\"type\":\"edit\",\"edited_action\":{\"name\":\"mail\",\"args\":"
                           "{\"to\":\"none\",\"copies\":2}}}]}"));
        asked.button(QStringLiteral("Reject"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("{\"decisions\":[{\"type\":\"reject\"}]}"));
    }

    void isAlsoWrittenAsJson()
    {
        Asked asked(test::kToolQuestion);
        asked.card.show();
        asked.button(QStringLiteral("As JSON"))->click();
        auto* json = asked.card.findChild<QPlainTextEdit*>();
        QVERIFY(json->isVisible());
        QVERIFY(json->toPlainText().contains(QLatin1String("\"copies\": 2")));
        json->setPlainText(QStringLiteral("{\"to\": 1"));
        asked.button(QStringLiteral("Approve with 1 change"))->click();
        QCOMPARE(asked.answers.count(), 0);
        json->setPlainText(QStringLiteral("{\"to\": 1}"));
        asked.button(QStringLiteral("As JSON"))->click();
        QCOMPARE(asked.field("to")->text(), QStringLiteral("1"));
    }

    void severalCallsAreDecidedTogether()
    {
        const Question read = question(*parseJson(test::kTwoTools));
        QCOMPARE(read.answers.size(), std::size_t(1)); // one of them must not be rejected
        QCOMPARE(read.answers.front().json,
                 QStringLiteral("{\"decisions\":[{\"type\":\"approve\"},{\"type\":\"approve\"}]}"));
        QCOMPARE(read.details.size(), 2);
    }

    void manyAnswersAreAChoice()
    {
        Asked asked(test::kManyAnswers);
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answers.count(), 0);
        asked.choose("answer", QStringLiteral("seven"));
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("\"seven\""));
        asked.choose("answer", QStringLiteral("3"));
        asked.button(QStringLiteral("Answer"))->click();
        QCOMPARE(asked.answer(), QStringLiteral("3"));
    }

    void sayWhyTheLastAnswerWasNotTaken()
    {
        Asked asked(test::kRefused);
        QVERIFY2(asked.fault("age").contains(QLatin1String("minimum 18")), qPrintable(asked.fault("age")));
        Asked plain("{\"question\": \"Sure?\", \"answers\": [\"yes\", \"no\"], \"problem\": \"the answer "
                    "must be yes or no\"}");
        const auto labels = plain.card.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return !label->isHidden() && label->text().contains(QLatin1String("must be yes or no"));
        }));
    }

    void showsEitherTheme_data() { sg::test::themes(); }
    void showsEitherTheme()
    {
        const QString theme = sg::test::useTheme();
        Asked asked(test::kFormQuestion);
        asked.button(QStringLiteral("Answer"))->click();
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(asked.card, QStringLiteral("answer-form-") + theme))
                > 10);
    }
};

SG_WINDOW_TEST(TestAnswerForm)
#include "tst_answer_form.moc"
