// Gives every file of a folder to one fuzz target, then random changes of them: replay FOLDER
// SG_FUZZ_SECONDS says how long (1 without it), SG_FUZZ_SEED which changes. The input that breaks the target
// is left as the file broken-TARGET beside the program.

#include "tests/fuzz/mutation.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace sg;

constexpr std::size_t kChecked = 256; // inputs between two looks at the clock

// The handler of a signal may read this.
const std::string* running = nullptr;
std::string brokenFile;

// Only what is safe in a signal's handler. The signal comes again and ends the program.
void keepInput(int)
{
    const int file = ::open(brokenFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || running == nullptr)
        return;
    [[maybe_unused]] const ssize_t kept = ::write(file, running->data(), running->size());
    ::close(file);
}

void give(const std::string& input)
{
    running = &input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::uint64_t number(const char* variable, std::uint64_t otherwise)
{
    const char* text = std::getenv(variable);
    return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<std::string> readFolder(const char* folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end()); // a seed means the same changes everywhere
    std::vector<std::string> inputs;
    for (const std::filesystem::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        std::fprintf(stderr, "%s\n", file.filename().c_str()); // the last one is it
        give(inputs.back());
    }
    return inputs;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: replay FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    brokenFile =
        (std::filesystem::path(argv[0]).parent_path() / ("broken-" + folder.filename().string())).string();
    for (const int signal : { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL }) {
        struct sigaction action = {};
        action.sa_handler = keepInput;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
    const std::vector<std::string> inputs = readFolder(argv[1]);
    if (inputs.empty())
        return 1;
    const std::uint64_t seed = number("SG_FUZZ_SEED", std::random_device{}());
    std::fprintf(stderr, "changes of SG_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(number("SG_FUZZ_SECONDS", 1));
    test::Mutation mutation(inputs, seed);
    std::size_t changed = 0;
    while (std::chrono::steady_clock::now() < end)
        for (std::size_t i = 0; i < kChecked; ++i, ++changed)
            give(mutation.next());
    std::printf("%zu inputs, %zu changes of them\n", inputs.size(), changed);
    return 0;
}
