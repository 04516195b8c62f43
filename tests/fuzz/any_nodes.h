#pragma once

#include "core/engine/node_body.h"

#include <memory>

namespace sg::fuzz {

// Takes every node and branch for good; they are never run.
class AnyNodes final : public engine::NodeCatalog {
public:
    Result<std::unique_ptr<engine::NodeBody>> makeNode(const graph::Node&) override { return body(); }
    Result<std::unique_ptr<engine::NodeBody>> makeBranch(const graph::Branch&) override { return body(); }
    Result<std::unique_ptr<engine::NodeBody>> makeErrorHandler(const graph::Node&) override { return body(); }

private:
    class Body final : public engine::NodeBody {
    public:
        [[nodiscard]] bool mayBlock() const override { return false; }
        engine::NodeOutcome run(engine::TaskContext&) override { return engine::Returned{}; }
    };
    static Result<std::unique_ptr<engine::NodeBody>> body()
    {
        std::unique_ptr<engine::NodeBody> made = std::make_unique<Body>();
        return made;
    }
};

} // namespace sg::fuzz
