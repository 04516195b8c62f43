#include "core/sandbox/runner_bundle.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <utility>

namespace sg::sandbox {
namespace {

constexpr std::size_t kMaxFile = 1 << 20;

}

Result<std::string> runnerBundle(const std::filesystem::path& folder, ValueMap more)
{
    ValueMap files = std::move(more);
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != ".py")
            continue;
        auto text = readFile(entry->path(), kMaxFile);
        if (!text)
            return std::move(text.error()).during("bundle the runner");
        files.set(entry->path().lexically_relative(folder).string(), std::move(*text));
    }
    const std::string json = toJson(Value(std::move(files)));
    std::string bundle;
    for (int shift = 24; shift >= 0; shift -= 8)
        bundle += static_cast<char>(json.size() >> static_cast<unsigned>(shift));
    return bundle + json;
}

} // namespace sg::sandbox
