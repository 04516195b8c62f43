#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/node_policy_form.h"
#include "ui/graph/forms/on_node.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

// Edits how often a node is tried, and after which errors.
namespace sg::ui {
namespace {

using RetryNumber = std::optional<double>;

constexpr BoundRows::Range kSecondsOrNone{ 0, 30.0 * 24 * 3600, false };

} // namespace

void NodePolicyForm::addRetry()
{
    addRetryRules();
    auto* attempts = m_rows->bindNumber(
        tr("Attempts"), tr("1: never again"), { 1, 1000, true },
        [this] { return node().retry.empty() ? RetryNumber() : RetryNumber(rule().maxAttempts); },
        onNode(m_node, [this](graph::Node& node, RetryNumber count) {
            if (node.retry.empty())
                node.retry.emplace_back();
            const int usual = graph::RetryPolicy().maxAttempts;
            node.retry[std::min(m_rule, node.retry.size() - 1)].maxAttempts =
                count ? static_cast<int>(*count) : usual;
        }));
    attempts->setToolTip(tr("How often it is tried before it has failed; 1: never again."));
    addRetryDetails();
    addSettings(graph::SettingPlace::Retry);
}

// Chooses the rule that the fields below edit; the last entry adds one.
void NodePolicyForm::addRetryRules()
{
    auto* field = new QWidget(m_rows);
    auto* rules = new QComboBox(field);
    rules->setObjectName(QStringLiteral("retryRules"));
    rules->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    rules->setMinimumContentsLength(10);
    rules->setToolTip(tr("The first rule that fits an error counts."));
    makeDense(rules);
    rules->setAccessibleName(tr("Retry rule"));
    auto* remove = new QToolButton(field);
    remove->setObjectName(QStringLiteral("removeRetryRule"));
    remove->setIcon(icon(QLatin1String("trash")));
    remove->setToolTip(tr("Remove this rule"));
    remove->setAccessibleName(tr("Remove this rule"));
    remove->setAutoRaise(true);
    connect(remove, &QToolButton::clicked, this, [this] {
        m_document.edit(tr("Remove the retry rule"), [this](graph::Graph& graph) {
            if (graph::Node* node = nodeIn(graph, m_node); node && m_rule < node->retry.size())
                node->retry.erase(node->retry.begin() + static_cast<std::ptrdiff_t>(m_rule));
        });
        showRule(0);
    });
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(rules, 1);
    row->addWidget(remove);
    m_rows->addRow(tr("Retry rule"), field);
    field->setAccessibleName({}); // the list has the name
    connect(rules, &QComboBox::activated, this, [this](int index) {
        const std::size_t count = node().retry.size();
        if (static_cast<std::size_t>(index) >= count)
            m_document.edit(tr("Add a retry rule"), [this](graph::Graph& graph) {
                if (graph::Node* node = nodeIn(graph, m_node)) {
                    node->retry.emplace_back();
                    node->retry.back().retryOn = { "TimeoutError" };
                }
            });
        showRule(index);
    });
    m_rows->onFill([this, rules, field] {
        const std::vector<graph::RetryPolicy>& all = node().retry;
        m_rule = all.empty() ? 0 : std::min(m_rule, all.size() - 1);
        rules->clear();
        for (std::size_t i = 0; i < all.size(); ++i)
            rules->addItem(tr("%1: %2").arg(i + 1).arg(all[i].retryOn.empty() ? tr("the usual errors")
                                                                              : joinedNames(all[i].retryOn)));
        rules->addItem(tr("Add a rule"));
        rules->setCurrentIndex(static_cast<int>(m_rule));
        m_rows->setRowVisible(field, !all.empty());
        rules->setVisible(!all.empty());
    });
}

graph::RetryPolicy NodePolicyForm::rule() const
{
    const std::vector<graph::RetryPolicy>& all = node().retry;
    return all.empty() ? graph::RetryPolicy() : all[std::min(m_rule, all.size() - 1)];
}

void NodePolicyForm::showRule(int rule)
{
    m_rule = static_cast<std::size_t>(rule);
    m_rows->setScope(QString::fromStdString(m_node.value) + QLatin1Char('#') + QString::number(rule));
    fill();
}

void NodePolicyForm::addRetryDetails()
{
    const auto put = [this](auto member, const auto& fallback) {
        return onNode(m_node, [this, member, fallback](graph::Node& node, const auto& value) {
            if (!node.retry.empty())
                node.retry[std::min(m_rule, node.retry.size() - 1)].*member = value.value_or(fallback);
        });
    };
    const auto number = [this, put](const QString& title, const QString& placeholder,
                                    const BoundRows::Range& range, double graph::RetryPolicy::*member) {
        const double usual = graph::RetryPolicy().*member;
        return m_rows->bindNumber(
            title, placeholder, range,
            [this, member, usual]() -> RetryNumber {
                const double now = rule().*member;
                return now == usual ? RetryNumber() : RetryNumber(now);
            },
            put(member, usual));
    };
    QList<QWidget*> rows;
    rows << m_rows->bindNames(
        tr("Only after"), tr("the usual errors"),
        [this]() -> BoundRows::Names {
            const auto names = rule().retryOn;
            return names.empty() ? BoundRows::Names() : BoundRows::Names(names);
        },
        put(&graph::RetryPolicy::retryOn, std::vector<std::string>()));
    rows << number(tr("First wait"), tr("0.5; seconds"), kSecondsOrNone,
                   &graph::RetryPolicy::initialInterval);
    rows << number(tr("Times"), tr("2; each wait is so much longer"), { 0.001, 1000, false },
                   &graph::RetryPolicy::backoffFactor);
    rows << number(tr("Longest wait"), tr("128; seconds"), kSecondsOrNone, &graph::RetryPolicy::maxInterval);
    rows << m_rows->bindFlag(
        tr("Jitter"), tr("waits differ by chance"), [this] { return rule().jitter; },
        onNode(m_node, [this](graph::Node& node, bool jitter) {
            if (!node.retry.empty())
                node.retry[std::min(m_rule, node.retry.size() - 1)].jitter = jitter;
        }));
    m_rows->onFill([this, rows] {
        for (QWidget* row : rows)
            m_rows->setRowVisible(row, !node().retry.empty());
    });
}

} // namespace sg::ui
