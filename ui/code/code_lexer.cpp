#undef QT_NO_KEYWORDS // Scintilla's headers need them
#include "ui/code/code_lexer.h"

#include "ui/code/jq_tokens.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QFontInfo>
#include <Qsci/qscilexercustom.h>
#include <Qsci/qscilexerjson.h>
#include <Qsci/qscilexermarkdown.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <map>

namespace sg::ui {
namespace {

// The kind of a run of text, common to all languages; other text is plain.
enum class Ink { Plain, Keyword, String, Number, Comment, Name, Heading };
using Inks = std::map<int, Ink>; // by style number of the lexer

class JqLexer final : public QsciLexerCustom {
public:
    explicit JqLexer(QObject* parent)
        : QsciLexerCustom(parent)
    {
    }
    [[nodiscard]] const char* language() const override { return "jq"; }
    [[nodiscard]] QString description(int style) const override
    {
        return style <= static_cast<int>(JqToken::Format) ? QStringLiteral("jq %1").arg(style) : QString();
    }
    // Text before `start` can change the meaning, so all is read; only the changed part is styled.
    void styleText(int start, int end) override
    {
        const auto length = static_cast<unsigned long>(editor()->SendScintilla(QsciScintilla::SCI_GETLENGTH));
        QByteArray text(static_cast<qsizetype>(length) + 1, '\0');
        editor()->SendScintilla(QsciScintilla::SCI_GETTEXT, length + 1, text.data());
        text.chop(1);
        int at = 0;
        startStyling(start);
        for (const JqRun& run : jqRuns({ text.constData(), static_cast<std::size_t>(text.size()) })) {
            const int from = std::max(at, start);
            at += static_cast<int>(run.length);
            if (at > from)
                setStyling(at - from, static_cast<int>(run.kind));
            if (from >= end)
                break;
        }
    }
};

const Inks& inksOf(CodeLanguage language)
{
    static const Inks python = {
        { QsciLexerPython::Comment, Ink::Comment },
        { QsciLexerPython::CommentBlock, Ink::Comment },
        { QsciLexerPython::Number, Ink::Number },
        { QsciLexerPython::DoubleQuotedString, Ink::String },
        { QsciLexerPython::SingleQuotedString, Ink::String },
        { QsciLexerPython::TripleSingleQuotedString, Ink::String },
        { QsciLexerPython::TripleDoubleQuotedString, Ink::String },
        { QsciLexerPython::UnclosedString, Ink::String },
        { QsciLexerPython::DoubleQuotedFString, Ink::String },
        { QsciLexerPython::SingleQuotedFString, Ink::String },
        { QsciLexerPython::TripleSingleQuotedFString, Ink::String },
        { QsciLexerPython::TripleDoubleQuotedFString, Ink::String },
        { QsciLexerPython::Keyword, Ink::Keyword },
        { QsciLexerPython::ClassName, Ink::Heading },
        { QsciLexerPython::FunctionMethodName, Ink::Heading },
        { QsciLexerPython::HighlightedIdentifier, Ink::Number },
        { QsciLexerPython::Decorator, Ink::Number },
    };
    static const Inks json = {
        { QsciLexerJSON::Number, Ink::Number },
        { QsciLexerJSON::String, Ink::String },
        { QsciLexerJSON::UnclosedString, Ink::String },
        { QsciLexerJSON::Property, Ink::Keyword },
        { QsciLexerJSON::EscapeSequence, Ink::Number },
        { QsciLexerJSON::CommentLine, Ink::Comment },
        { QsciLexerJSON::CommentBlock, Ink::Comment },
        { QsciLexerJSON::Keyword, Ink::Number },
        { QsciLexerJSON::IRI, Ink::String },
        { QsciLexerJSON::IRICompact, Ink::String },
    };
    static const Inks markdown = {
        { QsciLexerMarkdown::Header1, Ink::Heading },
        { QsciLexerMarkdown::Header2, Ink::Heading },
        { QsciLexerMarkdown::Header3, Ink::Heading },
        { QsciLexerMarkdown::Header4, Ink::Heading },
        { QsciLexerMarkdown::Header5, Ink::Heading },
        { QsciLexerMarkdown::Header6, Ink::Heading },
        { QsciLexerMarkdown::StrongEmphasisAsterisks, Ink::Heading },
        { QsciLexerMarkdown::StrongEmphasisUnderscores, Ink::Heading },
        { QsciLexerMarkdown::BlockQuote, Ink::Comment },
        { QsciLexerMarkdown::Link, Ink::Keyword },
        { QsciLexerMarkdown::UnorderedListItem, Ink::Number },
        { QsciLexerMarkdown::OrderedListItem, Ink::Number },
        { QsciLexerMarkdown::CodeBackticks, Ink::String },
        { QsciLexerMarkdown::CodeDoubleBackticks, Ink::String },
        { QsciLexerMarkdown::CodeBlock, Ink::String },
    };
    const auto jqStyle = [](JqToken kind) { return static_cast<int>(kind); };
    static const Inks jq = {
        { jqStyle(JqToken::Comment), Ink::Comment }, { jqStyle(JqToken::Number), Ink::Number },
        { jqStyle(JqToken::String), Ink::String },   { jqStyle(JqToken::Keyword), Ink::Keyword },
        { jqStyle(JqToken::Variable), Ink::Number }, { jqStyle(JqToken::Format), Ink::Keyword },
    };
    static const Inks none;
    switch (language) {
    case CodeLanguage::Python: return python;
    case CodeLanguage::Jq: return jq;
    case CodeLanguage::Json: return json;
    case CodeLanguage::Markdown: return markdown;
    case CodeLanguage::Plain: break;
    }
    return none;
}

QColor inkColor(Ink ink)
{
    switch (ink) {
    case Ink::Keyword: return color(&Tokens::codeKeyword);
    case Ink::String: return color(&Tokens::codeString);
    case Ink::Number: return color(&Tokens::codeNumber);
    case Ink::Comment: return color(&Tokens::codeComment);
    case Ink::Plain:
    case Ink::Name:
    case Ink::Heading: break;
    }
    return color(&Tokens::text);
}

QFont inkFont(Ink ink)
{
    QFont font = monoFont(TextSize::Dense, ink == Ink::Heading ? QFont::DemiBold : QFont::Normal);
    font.setItalic(ink == Ink::Comment);
    return codeFont(font);
}

} // namespace

QFont codeFont(QFont font)
{
    font.setPointSizeF(QFontInfo(font).pointSizeF());
    return font;
}

QsciLexer* makeLexer(CodeLanguage language, QObject* parent)
{
    QsciLexer* lexer = nullptr;
    if (language == CodeLanguage::Python)
        lexer = new QsciLexerPython(parent);
    else if (language == CodeLanguage::Jq)
        lexer = new JqLexer(parent);
    else if (language == CodeLanguage::Json)
        lexer = new QsciLexerJSON(parent);
    else if (language == CodeLanguage::Markdown)
        lexer = new QsciLexerMarkdown(parent);
    if (lexer)
        dyeLexer(*lexer, language);
    return lexer;
}

void dyeLexer(QsciLexer& lexer, CodeLanguage language)
{
    constexpr int kStyles = 32; // enough for all lexers here
    const Inks& inks = inksOf(language);
    lexer.setDefaultColor(color(&Tokens::text));
    lexer.setDefaultPaper(color(&Tokens::base));
    lexer.setDefaultFont(codeFont(monoFont()));
    for (int style = 0; style < kStyles; ++style) {
        const auto found = inks.find(style);
        const Ink ink = found == inks.end() ? Ink::Plain : found->second;
        lexer.setColor(inkColor(ink), style);
        lexer.setPaper(color(&Tokens::base), style);
        lexer.setFont(inkFont(ink), style);
        lexer.setEolFill(false, style);
    }
}

} // namespace sg::ui
