#pragma once

#include "ui/widgets/banner.h"

namespace sg::ui {

class CodeFiles;

// Says why a code file cannot be edited as it is, and what can be done: a draft of a crash, another program's
// change, a file that cannot be read. Hidden if all is well.
class CodeFileBanner : public Banner {
    Q_OBJECT
public:
    explicit CodeFileBanner(CodeFiles& files, QWidget* parent = nullptr);
    void showState(const QString& file); // empty: of no file

private:
    CodeFiles& m_files;
};

} // namespace sg::ui
