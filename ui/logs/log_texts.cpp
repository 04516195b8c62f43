#include "ui/logs/log_texts.h"

#include <algorithm>
#include <cstring>

namespace sg::ui {
namespace {

constexpr std::size_t kRowsPerBlock = 4096;

bool isAscii(const QString& text)
{
    char16_t all = 0;
    for (const QChar letter : text)
        all |= letter.unicode();
    return all < 128;
}

} // namespace

void LogTexts::clear()
{
    m_blocks.clear();
    m_first = 0;
}

void LogTexts::append(const QString& text)
{
    if (m_blocks.empty() || m_blocks.back().ends.size() == kRowsPerBlock) {
        if (!m_blocks.empty())
            m_blocks.back().bytes.shrink_to_fit();
        m_blocks.emplace_back();
        m_blocks.back().ends.reserve(kRowsPerBlock);
        m_blocks.back().bytes.resize(LogPattern::kReadPast);
    }
    Block& block = m_blocks.back();
    const bool isWide = !isAscii(text);
    const auto letters = static_cast<std::size_t>(text.size());
    const std::size_t size = isWide ? letters * sizeof(char16_t) : letters;
    const std::size_t begin = block.bytes.size() - LogPattern::kReadPast;
    block.bytes.resize(block.bytes.size() + size);
    char* to = block.bytes.data() + begin;
    if (isWide)
        std::memcpy(to, text.utf16(), size);
    else
        std::transform(text.begin(), text.end(), to, [](QChar letter) { return letter.toLatin1(); });
    block.ends.push_back((begin + size) * 2 + (isWide ? 1 : 0));
}

void LogTexts::dropFirst()
{
    if (++m_first == m_blocks.front().ends.size()) {
        m_blocks.pop_front();
        m_first = 0;
    }
}

LogTexts::Piece LogTexts::pieceAt(std::size_t index) const
{
    const std::size_t place = index + m_first;
    const Block& block = m_blocks[place / kRowsPerBlock];
    const std::size_t row = place % kRowsPerBlock;
    const std::size_t begin = row == 0 ? 0 : block.ends[row - 1] / 2;
    return { block.bytes.data() + begin, block.ends[row] / 2 - begin, block.ends[row] % 2 == 1 };
}

QString LogTexts::at(std::size_t index) const
{
    const Piece piece = pieceAt(index);
    if (!piece.isWide)
        return QString::fromLatin1(piece.bytes, static_cast<qsizetype>(piece.size));
    QString text(static_cast<qsizetype>(piece.size / sizeof(char16_t)), Qt::Uninitialized);
    std::memcpy(text.data(), piece.bytes, piece.size);
    return text;
}

bool LogTexts::has(const LogPattern& pattern, std::size_t index) const
{
    const Piece piece = pieceAt(index);
    return piece.isWide || pattern.isRegular() ? pattern.isIn(at(index))
                                               : pattern.isInAscii(piece.bytes, piece.size);
}

} // namespace sg::ui
