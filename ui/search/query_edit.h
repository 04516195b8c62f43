#pragma once

#include "core/query/completion.h"
#include "ui/widgets/filter_edit.h"

class QCompleter;
class QStringListModel;

namespace sg::ui {

// A filter field for the query language: it offers words that can follow, which Enter or Tab accepts.
class QueryEdit : public FilterEdit {
    Q_OBJECT
public:
    explicit QueryEdit(const QString& placeholder, QWidget* parent = nullptr);

    void setVocabulary(query::Vocabulary vocabulary);
    void setCompleting(bool isOn); // off for SQL

private:
    void offer();
    void take(const QString& word);

    query::Vocabulary m_vocabulary;
    QCompleter* m_completer;
    QStringListModel* m_words;
    qsizetype m_from = 0; // start of the word to complete
    bool m_isOn = true;
};

} // namespace sg::ui
