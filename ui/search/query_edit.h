#pragma once

#include "core/query/completion.h"
#include "ui/widgets/filter_edit.h"

class QCompleter;
class QStringListModel;

namespace sg::ui {

// A filter line in the query language: offers what can come next, and takes it by Enter or Tab.
class QueryEdit : public FilterEdit {
    Q_OBJECT
public:
    explicit QueryEdit(const QString& placeholder, QWidget* parent = nullptr);

    void setVocabulary(query::Vocabulary vocabulary);
    void setCompleting(bool isOn); // SQL has none

private:
    void offer();
    void take(const QString& word);

    query::Vocabulary m_vocabulary;
    QCompleter* m_completer;
    QStringListModel* m_words;
    qsizetype m_from = 0; // where the word begins that is completed
    bool m_isOn = true;
};

} // namespace sg::ui
