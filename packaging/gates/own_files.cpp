// A plugin for clang-tidy 14 that limits its checks to declarations of this project. Without it they match
// every declaration of system headers too, and discard the findings: two thirds of the time.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace {

class OwnFiles final : public clang::ASTConsumer {
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override
    {
        for (clang::Decl* declaration : group)
            m_declarations.push_back(declaration);
        return true;
    }

    void HandleTranslationUnit(clang::ASTContext& context) override
    {
        const clang::SourceManager& sources = context.getSourceManager();
        std::vector<clang::Decl*> own;
        for (clang::Decl* declaration : m_declarations)
            if (declaration->getLexicalDeclContext()->isTranslationUnit()
                && declaration->getLocation().isValid()
                && !sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
                own.push_back(declaration);
        context.setTraversalScope(own);
    }

    std::vector<clang::Decl*> m_declarations;
};

class Action final : public clang::PluginASTAction {
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override
    {
        return std::make_unique<OwnFiles>();
    }
    bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> kRegistered("own-files",
                                                             "checks this project's files alone");

} // namespace
