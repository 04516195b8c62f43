#include "ui/search/query_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStringListModel>

#include <utility>

namespace sg::ui {

namespace {
constexpr int kMostOffered = 40;
}

QueryEdit::QueryEdit(const QString& placeholder, QWidget* parent)
    : FilterEdit(placeholder, Sign::Search, parent)
    , m_completer(new QCompleter(this))
    , m_words(new QStringListModel(this))
{
    m_completer->setModel(m_words);
    m_completer->setWidget(this); // setCompleter() would replace the whole line
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(10);
    connect(this, &QLineEdit::textEdited, this, &QueryEdit::offer);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &QueryEdit::take);
}

void QueryEdit::setVocabulary(query::Vocabulary vocabulary)
{
    m_vocabulary = std::move(vocabulary);
}

void QueryEdit::setCompleting(bool isOn)
{
    m_isOn = isOn;
    m_completer->popup()->hide();
}

void QueryEdit::offer()
{
    const std::string before = text().left(cursorPosition()).toStdString();
    const query::Completion made = query::complete(before, before.size(), m_vocabulary);
    m_from = QString::fromStdString(before.substr(0, made.from)).size();
    const QString typed = text().mid(m_from, cursorPosition() - m_from);
    QStringList words;
    for (const std::string& word : made.words)
        if (words.size() < kMostOffered)
            words << QString::fromStdString(word);
    // A word that is complete is not offered; neither are all words before anything was typed.
    if (!m_isOn || words.isEmpty() || (typed.isEmpty() && !text().left(m_from).endsWith(QLatin1Char(':')))
        || (words.size() == 1 && words.front() == typed)) {
        m_completer->popup()->hide();
        return;
    }
    m_words->setStringList(words);
    m_completer->complete();
    m_completer->popup()->setCurrentIndex(m_words->index(0, 0));
}

void QueryEdit::take(const QString& word)
{
    const QString rest = text().mid(cursorPosition());
    const QString made = text().left(m_from) + word;
    setText(made + rest);
    setCursorPosition(static_cast<int>(made.size()));
    if (word.endsWith(QLatin1Char(':')))
        offer();
}

} // namespace sg::ui
