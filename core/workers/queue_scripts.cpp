#include "core/workers/queue_scripts.h"

#include <initializer_list>
#include <string>

namespace sg::workers::scripts {
namespace {

// Parts that scripts are made of; each script has only those that it uses, as Lua makes every function of a
// script anew at each call. Times are the server's, so that no two machines' clocks are compared.
//
// Commands are what a script costs, so that a call that handles many jobs writes counters, leases and the
// audit once for all of them: an entry of the audit has fields of all its jobs, and then those of each, which
// begin with its j.
constexpr std::string_view kTime = R"lua(
local p = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local stamp = string.format('%.0f', now) -- once: Redis writes each number that it is given with 17 digits
local function audit(...) redis.call('XADD', p .. 'audit', 'MAXLEN', '~', 100000, '*', 'e', ...) end
)lua";

constexpr std::string_view kTell = R"lua(
local function tell(re, ...)
  redis.call('RPUSH', p .. re, ...)
  redis.call('PEXPIRE', p .. re, 3600000)
end
)lua";

// A partition's session is at the worker that did its last task, as long as that lives.
constexpr std::string_view kReady = R"lua(
local function push(id, prio, part)
  if part and part ~= '' then
    local w = redis.call('GET', p .. 'pin:' .. part)
    if w and redis.call('EXISTS', p .. 'wk:' .. w) == 1 then prio = 'at:' .. w end
  end
  redis.call('XADD', p .. prio, '*', 'j', id)
end
local function ready(id, prio, part)
  redis.call('HSET', p .. 'job:' .. id, 'st', 'ready')
  push(id, prio or 'q', part)
end
local function drop(stream, entry)
  redis.call('XACK', p .. stream, 'w', entry)
  redis.call('XDEL', p .. stream, entry)
end
)lua";

constexpr std::string_view kStory = R"lua(
local function story(id, text)
  local k = p .. 'job:' .. id
  local h = redis.call('HGET', k, 'hist') or ''
  if #h < 8000 then redis.call('HSET', k, 'hist', h .. now .. ' ' .. text .. '\n') end
end
)lua";

constexpr std::string_view kDie = R"lua(
local function die(id, why, result)
  local k = p .. 'job:' .. id
  local h = redis.call('HMGET', k, 'att', 're')
  local did = redis.call('XADD', p .. 'dead', '*', 'j', id, 'why', string.sub(why, 1, 500), 'att', h[1] or 0)
  redis.call('HSET', k, 'st', 'dead', 'err', why, 'did', did, 't1', stamp)
  if result then redis.call('HSET', k, 'r', result) end
  redis.call('ZREM', p .. 'run', id)
  redis.call('ZREM', p .. 'z', id)
  redis.call('HINCRBY', p .. 'stat', 'dead', 1)
  audit('dead', 'j', id, 'why', string.sub(why, 1, 200))
  if h[2] and h[2] ~= '' then tell(h[2], id) end
end
)lua";

// Returns how many of `most` jobs may start, and the milliseconds to wait if none may; -1: paused.
constexpr std::string_view kLimits = R"lua(
local tokens
local function allowed(most)
  local c = redis.call('HMGET', p .. 'ctl', 'paused', 'rate', 'burst', 'conc', 'tokens', 'ts')
  if c[1] == '1' then return 0, -1 end
  local atOnce = tonumber(c[4] or '0')
  if atOnce > 0 then
    most = math.min(most, atOnce - redis.call('ZCOUNT', p .. 'run', now, '+inf'))
    if most <= 0 then return 0, 20 end
  end
  local rate = tonumber(c[2] or '0')
  if rate <= 0 then return most, 0 end
  local burst = math.max(1, tonumber(c[3] or '0'))
  tokens = math.min(burst, tonumber(c[5] or burst) + math.max(0, now - (c[6] or now)) * rate / 1000)
  if tokens < 1 then return 0, math.ceil((1 - tokens) * 1000 / rate) end
  return math.min(most, math.floor(tokens)), 0
end
local function spend(number)
  if tokens then redis.call('HSET', p .. 'ctl', 'tokens', tokens - number, 'ts', now) end
end
)lua";

// Starts jobs whose entries leave their streams; what is not ready is left out. A lease is the time of its
// end.
constexpr std::string_view kBegin = R"lua(
local begun, leases, noted = {}, {}, {}
local function begin(consumer, lease, id)
  local k = p .. 'job:' .. id
  local h = redis.call('HMGET', k, 'st', 'p', 'att', 'fence', 'part', 'enq', 'max')
  if h[1] ~= 'ready' then return end
  -- Microseconds, so that a fence is newer also where all keys were lost. As text, since Lua would round it.
  local fence = string.format('%.0f', math.max(t[1] * 1000000 + t[2], tonumber(h[4] or '0') + 1))
  local att = (h[3] or 0) + 1
  redis.call('HSET', k, 'st', 'running', 'fence', fence, 'w', consumer, 't0', stamp, 'att', att)
  if h[5] and h[5] ~= '' then redis.call('SET', p .. 'pin:' .. h[5], consumer, 'PX', 600000) end
  leases[#leases + 1] = lease
  leases[#leases + 1] = id
  for _, each in ipairs({ 'j', id, 'att', att, 'fence', fence }) do noted[#noted + 1] = each end
  begun[#begun + 1] = { id, fence, att, h[2] or '', h[5] or '', now - (h[6] or now), h[7] or 1 }
end
local function allBegun(consumer)
  if #begun == 0 then return end
  redis.call('ZADD', p .. 'run', unpack(leases))
  audit('start', 'w', consumer, unpack(noted))
  spend(#begun)
end
)lua";

// Ends jobs: `n` times job, fence and result. Returns 1 for each that was still its worker's, else 0.
constexpr std::string_view kFinish = R"lua(
local function finish(from, n, keep)
  local counted, ids, noted, told = {}, {}, {}, {}
  for i = 0, n - 1 do
    local id, fence = ARGV[from + 3 * i], ARGV[from + 3 * i + 1]
    local k = p .. 'job:' .. id
    local h = redis.call('HMGET', k, 'st', 'fence', 're', 'err')
    counted[i + 1] = 0
    if h[1] == 'running' and h[2] == fence then
      counted[i + 1] = 1
      redis.call('HSET', k, 'st', 'done', 'p', '', 'r', ARGV[from + 3 * i + 2], 't1', stamp)
      if h[4] then redis.call('HDEL', k, 'err') end
      redis.call('PEXPIRE', k, keep)
      ids[#ids + 1] = id
      for _, each in ipairs({ 'j', id, 'fence', fence }) do noted[#noted + 1] = each end
      if h[3] and h[3] ~= '' then
        told[h[3]] = told[h[3]] or {}
        table.insert(told[h[3]], id)
      end
    end
  end
  if #ids < n then redis.call('HINCRBY', p .. 'stat', 'stale', n - #ids) end
  if #ids == 0 then return counted end
  redis.call('ZREM', p .. 'run', unpack(ids))
  redis.call('HINCRBY', p .. 'stat', 'done', #ids)
  audit('done', unpack(noted))
  for re, all in pairs(told) do tell(re, unpack(all)) end
  return counted
end
)lua";

constexpr std::string_view kEnqueue = R"lua(
local states, added = {}, {}
for i = 1, #ARGV, 7 do
  local id, re, part = ARGV[i], ARGV[i + 5], ARGV[i + 6]
  local k = p .. 'job:' .. id
  local st = redis.call('HGET', k, 'st')
  if st then
    if re ~= '' then redis.call('HSET', k, 're', re) end
    if re ~= '' and (st == 'done' or st == 'dead' or st == 'cancelled') then tell(re, id) end
  else
    local delay = tonumber(ARGV[i + 4])
    st = delay > 0 and 'delayed' or 'ready'
    local fields = { 'st', st, 'p', ARGV[i + 1], 'pr', ARGV[i + 2], 'enq', stamp }
    if ARGV[i + 3] ~= '1' then fields[9] = 'max' fields[10] = ARGV[i + 3] end
    if re ~= '' then fields[#fields + 1] = 're' fields[#fields + 1] = re end
    if part ~= '' then fields[#fields + 1] = 'part' fields[#fields + 1] = part end
    redis.call('HSET', k, unpack(fields))
    if delay > 0 then redis.call('ZADD', p .. 'z', now + delay, id) else push(id, ARGV[i + 2], part) end
    added[#added + 1] = 'j'
    added[#added + 1] = id
  end
  states[#states + 1] = st
end
if #added > 0 then
  redis.call('HINCRBY', p .. 'stat', 'enqueued', #added / 2)
  audit('enqueue', unpack(added))
end
return states
)lua";

// XREADGROUP cannot block in a script, so that a worker that finds nothing waits outside of it. Strict order
// of the streams would starve the last, so that each eighth time begins with it. An entry leaves its stream
// in the step that starts its job: from then on the lease in `run` stands for it.
constexpr std::string_view kTake = R"lua(
local consumer, most, turn = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local lease = string.format('%.0f', now + ARGV[2])
local ended = tonumber(ARGV[6])
local counted = ended > 0 and finish(7, ended, ARGV[5]) or {}
local ms
most, ms = allowed(most)
if most == 0 then return { ms, counted } end
local own = 'at:' .. consumer
local order = { own, 'hi', 'q', 'lo' }
if turn == 0 then order = { 'lo', 'q', own, 'hi' } elseif turn == 4 then order = { 'q', own, 'hi', 'lo' } end
for _, stream in ipairs(order) do
  local key = p .. stream
  while #begun < most do
    local got = redis.pcall('XREADGROUP', 'GROUP', 'w', consumer, 'COUNT', most - #begun, 'NOACK', 'STREAMS', key,
                            '>')
    if got and got.err then
      if not string.find(got.err, 'NOGROUP') then return got end
      redis.call('XGROUP', 'CREATE', key, 'w', '0', 'MKSTREAM')
      got = redis.call('XREADGROUP', 'GROUP', 'w', consumer, 'COUNT', most - #begun, 'NOACK', 'STREAMS', key, '>')
    end
    if not got then break end
    local entries = {}
    for i, entry in ipairs(got[1][2]) do
      entries[i] = entry[1]
      begin(consumer, lease, entry[2][2])
    end
    redis.call('XDEL', key, unpack(entries))
  end
end
allBegun(consumer)
return { 0, counted, begun }
)lua";

// A job that its worker has read from a stream outside of a script.
constexpr std::string_view kStart = R"lua(
local most, ms = allowed(1)
drop(ARGV[3], ARGV[4])
if most == 0 then
  if redis.call('HGET', p .. 'job:' .. ARGV[5], 'st') == 'ready' then
    redis.call('HSET', p .. 'job:' .. ARGV[5], 'st', 'delayed')
    redis.call('ZADD', p .. 'z', now + math.max(ms, 50), ARGV[5])
  end
  return { ms, {} }
end
begin(ARGV[1], now + ARGV[2], ARGV[5])
allBegun(ARGV[1])
return { 0, {}, begun }
)lua";

constexpr std::string_view kBeat = R"lua(
local mine, leases = {}, {}
local lease = string.format('%.0f', now + ARGV[1])
for i = 2, #ARGV, 2 do
  local h = redis.call('HMGET', p .. 'job:' .. ARGV[i], 'st', 'fence')
  local isMine = h[1] == 'running' and h[2] == ARGV[i + 1]
  mine[#mine + 1] = isMine and 1 or 0
  if isMine then
    leases[#leases + 1] = lease
    leases[#leases + 1] = ARGV[i]
  end
end
if #leases > 0 then redis.call('ZADD', p .. 'run', unpack(leases)) end
return mine
)lua";

constexpr std::string_view kDone = R"lua(
return finish(2, (#ARGV - 1) / 3, ARGV[1])
)lua";

constexpr std::string_view kFail = R"lua(
local id = ARGV[1]
local k = p .. 'job:' .. id
local h = redis.call('HMGET', k, 'st', 'fence', 'att', 'lost', 'max')
if h[1] ~= 'running' or h[2] ~= ARGV[2] then
  redis.call('HINCRBY', p .. 'stat', 'stale', 1)
  return 0
end
local att = tonumber(h[3])
redis.call('ZREM', p .. 'run', id)
story(id, 'failed: ' .. string.sub(ARGV[3], 1, 300))
if ARGV[5] == '0' or att >= tonumber(h[5] or 1) + tonumber(h[4] or 0) then
  die(id, ARGV[3], ARGV[4])
  return 2
end
local ms = math.min(tonumber(ARGV[7]), tonumber(ARGV[6]) * 2 ^ (att - 1)) * tonumber(ARGV[8])
ms = math.max(math.floor(ms), tonumber(ARGV[9]))
redis.call('HSET', k, 'err', ARGV[3], 'st', 'delayed')
redis.call('ZADD', p .. 'z', now + ms, id)
redis.call('HINCRBY', p .. 'stat', 'retried', 1)
audit('retry', 'j', id, 'ms', ms)
return 1
)lua";

// A clock that was set back would keep leases and delays for as long as it went back: they go back with it.
// The second is for those that were due before and not seen yet.
constexpr std::string_view kTend = R"lua(
local did = 0
local clock = tonumber(redis.call('GET', p .. 'clock') or now)
if clock > now + 1000 then
  for _, set in ipairs({ 'run', 'z' }) do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', p .. set, clock - 1000, '+inf')) do
      redis.call('ZINCRBY', p .. set, now - clock, id)
    end
  end
  redis.call('HSET', p .. 'ctl', 'ts', now)
  -- Signs of life expire late, too; who lives gives another one soon.
  for _, w in ipairs(redis.call('SMEMBERS', p .. 'crew')) do redis.call('DEL', p .. 'wk:' .. w) end
  audit('clock', 'ms', now - clock)
end
redis.call('SET', p .. 'clock', now)
local paused = redis.call('HGET', p .. 'ctl', 'paused') == '1'
if not paused then
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', p .. 'z', '-inf', now, 'LIMIT', 0, 200)) do
    redis.call('ZREM', p .. 'z', id)
    local h = redis.call('HMGET', p .. 'job:' .. id, 'st', 'pr', 'part')
    if h[1] == 'delayed' then
      ready(id, h[2], h[3])
      did = did + 1
    end
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', p .. 'run', '-inf', now, 'LIMIT', 0, 50)) do
  local h = redis.call('HMGET', p .. 'job:' .. id, 'st', 'pr', 'part', 'w')
  redis.call('ZREM', p .. 'run', id)
  if h[1] == 'running' then
    -- Who lets a lease run out is gone, or will tell that it lives: others do what waits for it.
    if h[4] then redis.call('DEL', p .. 'wk:' .. h[4]) end
    local lost = redis.call('HINCRBY', p .. 'job:' .. id, 'lost', 1)
    redis.call('HINCRBY', p .. 'stat', 'lost', 1)
    audit('lost', 'w', h[4] or '', 'j', id)
    story(id, 'lost by ' .. (h[4] or ''))
    if lost > tonumber(ARGV[1]) then
      die(id, 'its worker was lost ' .. lost .. ' times')
    else
      ready(id, h[2], h[3])
    end
    did = did + 1
  end
end
local function again(stream, entry)
  drop(stream, entry[1])
  local h = redis.call('HMGET', p .. 'job:' .. entry[2][2], 'st', 'pr', 'part')
  if h[1] == 'ready' then
    push(entry[2][2], h[2] or 'q', h[3])
    did = did + 1
  end
end
-- What waits for a worker that is gone.
for _, w in ipairs(redis.call('SMEMBERS', p .. 'crew')) do
  if redis.call('EXISTS', p .. 'wk:' .. w) == 0 then
    local stream = 'at:' .. w
    for _, entry in ipairs(redis.call('XRANGE', p .. stream, '-', '+', 'COUNT', 200)) do again(stream, entry) end
    if redis.call('XLEN', p .. stream) == 0 then
      redis.call('DEL', p .. stream)
      redis.call('SREM', p .. 'crew', w)
    end
  end
end
-- What was read from a stream and never started.
for _, stream in ipairs({ 'hi', 'q', 'lo', 'at:' .. ARGV[3] }) do
  local got = redis.pcall('XAUTOCLAIM', p .. stream, 'w', ARGV[3], ARGV[2], '0-0', 'COUNT', 10)
  if got and not got.err then
    for _, entry in ipairs(got[2]) do
      if entry and entry[2] then again(stream, entry) end
    end
  end
end
return did
)lua";

constexpr std::string_view kSay = R"lua(
local h = redis.call('HMGET', p .. 'job:' .. ARGV[1], 'st', 'fence', 're')
if h[1] ~= 'running' or h[2] ~= ARGV[2] then return 0 end
if h[3] and h[3] ~= '' then tell(h[3], '\n' .. ARGV[1] .. '\n' .. ARGV[3]) end
return 1
)lua";

constexpr std::string_view kCancel = R"lua(
local k = p .. 'job:' .. ARGV[1]
local h = redis.call('HMGET', k, 'st', 're')
if not h[1] or h[1] == 'done' or h[1] == 'dead' or h[1] == 'cancelled' then return 0 end
redis.call('HSET', k, 'st', 'cancelled', 't1', stamp)
redis.call('HDEL', k, 'p')
redis.call('PEXPIRE', k, 604800000)
redis.call('ZREM', p .. 'z', ARGV[1])
redis.call('ZREM', p .. 'run', ARGV[1])
redis.call('HINCRBY', p .. 'stat', 'cancelled', 1)
audit('cancel', 'j', ARGV[1])
if h[2] and h[2] ~= '' then tell(h[2], ARGV[1]) end
return 1
)lua";

constexpr std::string_view kRequeue = R"lua(
local requeued, noted = {}, {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local k = p .. 'job:' .. id
  local h = redis.call('HMGET', k, 'st', 'did', 'pr', 'part')
  requeued[i - 1] = 0
  if h[1] == 'dead' then
    requeued[i - 1] = 1
    if h[2] then redis.call('XDEL', p .. 'dead', h[2]) end
    redis.call('HDEL', k, 'r', 'err', 'did', 'att', 'lost')
    story(id, 'requeued by ' .. ARGV[1])
    ready(id, h[3], h[4])
    noted[#noted + 1] = 'j'
    noted[#noted + 1] = id
  end
end
if #noted > 0 then audit('requeue', 'by', ARGV[1], unpack(noted)) end
return requeued
)lua";

// The job stays for a while as a cancelled one, so that it is not added again, and its story can be read.
constexpr std::string_view kDiscard = R"lua(
local discarded, noted = {}, {}
for i = 3, #ARGV, 2 do
  local id, entry = ARGV[i], ARGV[i + 1]
  local k = p .. 'job:' .. id
  local h = redis.call('HMGET', k, 'st', 'did')
  local gone = 0
  if h[1] == 'dead' and (entry == '' or h[2] == entry) then
    gone = 1
    if h[2] then redis.call('XDEL', p .. 'dead', h[2]) end
    redis.call('HSET', k, 'st', 'cancelled', 't1', stamp)
    redis.call('HDEL', k, 'p', 'r', 'did')
    story(id, 'discarded by ' .. ARGV[2])
    redis.call('PEXPIRE', k, ARGV[1])
  elseif entry ~= '' then
    gone = redis.call('XDEL', p .. 'dead', entry)
  end
  if gone == 1 then
    noted[#noted + 1] = 'j'
    noted[#noted + 1] = id
  end
  discarded[#discarded + 1] = gone
end
if #noted > 0 then
  redis.call('HINCRBY', p .. 'stat', 'discarded', #noted / 2)
  audit('discard', 'by', ARGV[2], unpack(noted))
end
return discarded
)lua";

constexpr std::string_view kBury = R"lua(
local k = p .. 'job:' .. ARGV[1]
if redis.call('EXISTS', k) == 1 then return 0 end
redis.call('HSET', k, 'p', ARGV[2], 'pr', 'q', 'enq', stamp)
audit('enqueue', 'j', ARGV[1])
die(ARGV[1], ARGV[3])
return 1
)lua";

constexpr std::string_view kForget = R"lua(
for _, id in ipairs(ARGV) do redis.call('HDEL', KEYS[1] .. 'job:' .. id, 'r') end
return #ARGV
)lua";

// The text of a script of these parts; it lives as long as the program.
struct Whole {
    Whole(std::initializer_list<std::string_view> parts)
        : text(joined(parts))
        , script(redisScript(text))
    {
    }
    static std::string joined(std::initializer_list<std::string_view> parts)
    {
        std::string all;
        for (const std::string_view part : parts)
            all += part;
        return all;
    }
    const std::string text;
    const RedisScript script;
};

} // namespace

const RedisScript& enqueue()
{
    static const Whole whole{ kTime, kTell, kReady, kEnqueue };
    return whole.script;
}

const RedisScript& take()
{
    static const Whole whole{ kTime, kTell, kLimits, kBegin, kFinish, kTake };
    return whole.script;
}

const RedisScript& start()
{
    static const Whole whole{ kTime, kReady, kLimits, kBegin, kStart };
    return whole.script;
}

const RedisScript& beat()
{
    static const Whole whole{ kTime, kBeat };
    return whole.script;
}

const RedisScript& done()
{
    static const Whole whole{ kTime, kTell, kFinish, kDone };
    return whole.script;
}

const RedisScript& fail()
{
    static const Whole whole{ kTime, kTell, kStory, kDie, kFail };
    return whole.script;
}

const RedisScript& tend()
{
    static const Whole whole{ kTime, kTell, kReady, kStory, kDie, kTend };
    return whole.script;
}

const RedisScript& say()
{
    static const Whole whole{ kTime, kTell, kSay };
    return whole.script;
}

const RedisScript& cancel()
{
    static const Whole whole{ kTime, kTell, kCancel };
    return whole.script;
}

const RedisScript& requeue()
{
    static const Whole whole{ kTime, kReady, kStory, kRequeue };
    return whole.script;
}

const RedisScript& discard()
{
    static const Whole whole{ kTime, kStory, kDiscard };
    return whole.script;
}

const RedisScript& bury()
{
    static const Whole whole{ kTime, kTell, kDie, kBury };
    return whole.script;
}

const RedisScript& forget()
{
    static const Whole whole{ kForget };
    return whole.script;
}

std::vector<const RedisScript*> all()
{
    return { &enqueue(), &take(),   &start(),   &beat(),    &done(), &fail(),  &tend(),
             &say(),     &cancel(), &requeue(), &discard(), &bury(), &forget() };
}

std::vector<std::string> commandsOf(const RedisScript& script)
{
    static constexpr std::string_view kCall = "call('";
    std::vector<std::string> commands;
    for (std::size_t at = script.text.find(kCall); at != std::string_view::npos;
         at = script.text.find(kCall, at)) {
        at += kCall.size();
        commands.emplace_back(script.text.substr(at, script.text.find('\'', at) - at));
    }
    return commands;
}

} // namespace sg::workers::scripts
