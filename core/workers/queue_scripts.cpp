#include "core/workers/queue_scripts.h"

#include <string>

namespace sg::workers::scripts {
namespace {

// Functions that the scripts share. Times are the server's, so that no two machines' clocks are compared.
constexpr std::string_view kShared = R"lua(
local p = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function jobKey(id) return p .. 'job:' .. id end
local function count(what) redis.call('HINCRBY', p .. 'stat', what, 1) end
local function audit(e, id, ...)
  redis.call('XADD', p .. 'audit', 'MAXLEN', '~', 100000, '*', 'e', e, 'j', id, ...)
end
local function drop(stream, entry)
  redis.call('XACK', p .. stream, 'w', entry)
  redis.call('XDEL', p .. stream, entry)
end
local function tell(id, re)
  if re and re ~= '' then
    redis.call('RPUSH', p .. re, id)
    redis.call('PEXPIRE', p .. re, 3600000)
  end
end
local function story(id, text)
  local h = redis.call('HGET', jobKey(id), 'hist') or ''
  if #h < 8000 then redis.call('HSET', jobKey(id), 'hist', h .. now .. ' ' .. text .. '\n') end
end
local function die(id, why)
  local k = jobKey(id)
  local h = redis.call('HMGET', k, 'att', 're')
  local did = redis.call('XADD', p .. 'dead', '*', 'j', id, 'why', string.sub(why, 1, 500), 'att', h[1] or 0)
  redis.call('HSET', k, 'st', 'dead', 'err', why, 'did', did, 't1', now)
  redis.call('ZREM', p .. 'run', id)
  redis.call('ZREM', p .. 'z', id)
  count('dead')
  audit('dead', id, 'why', string.sub(why, 1, 200))
  tell(id, h[2])
end
-- A partition's session is at the worker that did its last task, as long as that lives.
local function streamFor(id, prio)
  local part = redis.call('HGET', jobKey(id), 'part')
  if part and part ~= '' then
    local w = redis.call('GET', p .. 'pin:' .. part)
    if w and redis.call('EXISTS', p .. 'wk:' .. w) == 1 then return 'at:' .. w end
  end
  return prio
end
local function ready(id, prio)
  redis.call('HSET', jobKey(id), 'st', 'ready')
  redis.call('XADD', p .. streamFor(id, prio), '*', 'j', id)
end
local function later(id, ms)
  redis.call('HSET', jobKey(id), 'st', 'delayed')
  redis.call('ZADD', p .. 'z', now + ms, id)
end
)lua";

// How a job is started that its worker has taken from a stream, and finished.
constexpr std::string_view kWork = R"lua(
-- Milliseconds to wait before another job may start; 0: none. -1: paused.
local function wait()
  local c = redis.call('HMGET', p .. 'ctl', 'paused', 'rate', 'burst', 'conc', 'tokens', 'ts')
  if c[1] == '1' then return -1 end
  if c[4] and tonumber(c[4]) > 0 and redis.call('ZCOUNT', p .. 'run', now, '+inf') >= tonumber(c[4]) then
    return 20
  end
  local rate = tonumber(c[2] or '0')
  if rate <= 0 then return 0 end
  local burst = math.max(1, tonumber(c[3] or '0'))
  local tokens = math.min(burst, tonumber(c[5] or burst) + (now - tonumber(c[6] or now)) * rate / 1000)
  redis.call('HSET', p .. 'ctl', 'tokens', tokens, 'ts', now)
  if tokens >= 1 then return 0 end
  return math.ceil((1 - tokens) * 1000 / rate)
end
local function start(consumer, lease, stream, entry, id)
  local k = jobKey(id)
  local h = redis.call('HMGET', k, 'st', 'p', 'att', 'lost', 'part', 'enq', 'max')
  if h[1] ~= 'ready' or not h[2] then
    drop(stream, entry)
    return nil
  end
  -- Microseconds, so that fences grow also where all keys were lost. As text, since Lua would round them.
  local fence = redis.call('INCR', p .. 'fence')
  local least = t[1] * 1000000 + t[2]
  if fence < least then
    fence = least
    redis.call('SET', p .. 'fence', string.format('%.0f', fence))
  end
  fence = string.format('%.0f', fence)
  redis.call('HINCRBY', k, 'att', 1)
  redis.call('HSET', k, 'st', 'running', 'fence', fence, 'sid', entry, 'w', consumer, 't0', now, 'sq', stream)
  redis.call('ZADD', p .. 'run', now + lease, id)
  if h[5] and h[5] ~= '' then redis.call('SET', p .. 'pin:' .. h[5], consumer, 'PX', 600000) end
  if redis.call('HEXISTS', p .. 'ctl', 'rate') == 1 then redis.call('HINCRBYFLOAT', p .. 'ctl', 'tokens', -1) end
  audit('start', id, 'w', consumer, 'att', h[3] + 1, 'fence', fence)
  return { 'job', id, entry, stream, fence, h[3] + 1, h[2], h[5] or '', h[6] or now, h[7] or 1 }
end
local function isMine(id, fence)
  local h = redis.call('HMGET', jobKey(id), 'st', 'fence')
  return h[1] == 'running' and h[2] == fence
end
local function finish(entry, id, fence, stream, result, keep)
  if not isMine(id, fence) then
    drop(stream, entry)
    count('stale')
    return 0
  end
  local k = jobKey(id)
  redis.call('HSET', k, 'st', 'done', 'r', result, 't1', now)
  redis.call('HDEL', k, 'p', 'err')
  redis.call('PEXPIRE', k, keep)
  redis.call('ZREM', p .. 'run', id)
  drop(stream, entry)
  count('done')
  audit('done', id, 'fence', fence)
  tell(id, redis.call('HGET', k, 're'))
  return 1
end
)lua";

constexpr std::string_view kEnqueue = R"lua(
local k = jobKey(ARGV[1])
local st = redis.call('HGET', k, 'st')
if st then
  redis.call('HSET', k, 're', ARGV[6])
  if st == 'done' or st == 'dead' or st == 'cancelled' then tell(ARGV[1], ARGV[6]) end
  return { st, 0 }
end
redis.call('HSET', k, 'p', ARGV[2], 'pr', ARGV[3], 'max', ARGV[4], 'att', 0, 'lost', 0, 'enq', now, 're', ARGV[6],
           'part', ARGV[7])
count('enqueued')
audit('enqueue', ARGV[1])
if tonumber(ARGV[5]) > 0 then
  later(ARGV[1], tonumber(ARGV[5]))
  return { 'delayed', 1 }
end
ready(ARGV[1], ARGV[3])
return { 'ready', 1 }
)lua";

// XREADGROUP cannot block in a script, so that a worker that finds nothing waits outside of it. Strict order
// of the streams would starve the last, so that each eighth time begins with it.
constexpr std::string_view kTake = R"lua(
local finished = 1
if ARGV[5] then finished = finish(ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]) end
local ms = wait()
if ms ~= 0 then return { 'wait', finished, ms } end
local jobs = { 'jobs', finished }
local turn = redis.call('HINCRBY', p .. 'stat', 'turn', 1) % 8
local own = 'at:' .. ARGV[1]
local order = { own, 'hi', 'q', 'lo' }
if turn == 0 then order = { 'lo', 'q', own, 'hi' } elseif turn == 4 then order = { 'q', own, 'hi', 'lo' } end
for _, stream in ipairs(order) do
  while #jobs < 2 + tonumber(ARGV[4]) do
    local got = redis.pcall('XREADGROUP', 'GROUP', 'w', ARGV[1], 'COUNT', 1, 'STREAMS', p .. stream, '>')
    if got and got.err then
      if not string.find(got.err, 'NOGROUP') then return got end
      redis.call('XGROUP', 'CREATE', p .. stream, 'w', '0', 'MKSTREAM')
      got = redis.call('XREADGROUP', 'GROUP', 'w', ARGV[1], 'COUNT', 1, 'STREAMS', p .. stream, '>')
    end
    if not got then break end
    local entry = got[1][2][1]
    local job = start(ARGV[1], tonumber(ARGV[2]), stream, entry[1], entry[2][2])
    if job then jobs[#jobs + 1] = job end
    if wait() ~= 0 then return jobs end
  end
end
return jobs
)lua";

constexpr std::string_view kStart = R"lua(
local ms = wait()
if ms == 0 then
  local job = start(ARGV[1], tonumber(ARGV[2]), ARGV[4], ARGV[5], ARGV[6])
  if job then return { 'jobs', 1, job } end
  return { 'jobs', 1 }
end
drop(ARGV[4], ARGV[5])
if redis.call('HGET', jobKey(ARGV[6]), 'st') == 'ready' then later(ARGV[6], math.max(ms, 50)) end
return { 'wait', 1, ms }
)lua";

constexpr std::string_view kBeat = R"lua(
if not isMine(ARGV[4], ARGV[5]) then return 0 end
redis.call('XCLAIM', p .. ARGV[6], 'w', ARGV[1], 0, ARGV[3], 'JUSTID')
redis.call('ZADD', p .. 'run', now + tonumber(ARGV[2]), ARGV[4])
return 1
)lua";

constexpr std::string_view kDone = R"lua(
return finish(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
)lua";

constexpr std::string_view kFail = R"lua(
local id = ARGV[2]
if not isMine(id, ARGV[3]) then
  drop(ARGV[4], ARGV[1])
  count('stale')
  return 0
end
drop(ARGV[4], ARGV[1])
local k = jobKey(id)
local h = redis.call('HMGET', k, 'att', 'lost', 'max')
redis.call('ZREM', p .. 'run', id)
story(id, 'failed: ' .. string.sub(ARGV[5], 1, 300))
if ARGV[7] == '0' or tonumber(h[1]) >= tonumber(h[3]) + tonumber(h[2]) then
  redis.call('HSET', k, 'r', ARGV[6])
  die(id, ARGV[5])
  return 2
end
local ms = math.min(tonumber(ARGV[9]), tonumber(ARGV[8]) * 2 ^ (tonumber(h[1]) - 1)) * tonumber(ARGV[10])
ms = math.max(math.floor(ms), tonumber(ARGV[11]))
redis.call('HSET', k, 'err', ARGV[5])
count('retried')
audit('retry', id, 'ms', ms)
later(id, ms)
return 1
)lua";

constexpr std::string_view kTend = R"lua(
local did = 0
local paused = redis.call('HGET', p .. 'ctl', 'paused') == '1'
if not paused then
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', p .. 'z', '-inf', now, 'LIMIT', 0, 200)) do
    redis.call('ZREM', p .. 'z', id)
    local h = redis.call('HMGET', jobKey(id), 'st', 'pr')
    if h[1] == 'delayed' then
      ready(id, h[2] or 'q')
      did = did + 1
    end
  end
end
local function takeBack(id, h)
  local lost = redis.call('HINCRBY', jobKey(id), 'lost', 1)
  redis.call('ZREM', p .. 'run', id)
  count('lost')
  audit('lost', id, 'w', h[3] or '')
  story(id, 'lost by ' .. (h[3] or ''))
  if lost > tonumber(ARGV[1]) then
    die(id, 'its worker was lost ' .. lost .. ' times')
  else
    ready(id, h[2] or 'q')
  end
  did = did + 1
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', p .. 'run', '-inf', now, 'LIMIT', 0, 50)) do
  local h = redis.call('HMGET', jobKey(id), 'st', 'pr', 'w', 'sid', 'sq')
  redis.call('ZREM', p .. 'run', id)
  if h[1] == 'running' then
    drop(h[5], h[4])
    takeBack(id, h)
  end
end
-- What waits for a worker that is gone.
for _, w in ipairs(redis.call('SMEMBERS', p .. 'crew')) do
  if redis.call('EXISTS', p .. 'wk:' .. w) == 0 then
    local stream = 'at:' .. w
    for _, entry in ipairs(redis.call('XRANGE', p .. stream, '-', '+', 'COUNT', 200)) do
      local id = entry[2][2]
      local h = redis.call('HMGET', jobKey(id), 'st', 'pr', 'w', 'sid')
      if h[1] ~= 'running' or h[4] ~= entry[1] then
        drop(stream, entry[1])
        if h[1] == 'ready' then
          ready(id, h[2] or 'q')
          did = did + 1
        end
      end
    end
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
      if entry and entry[2] then
        local id = entry[2][2]
        local h = redis.call('HMGET', jobKey(id), 'st', 'pr', 'w', 'sid')
        if h[1] == 'ready' then
          drop(stream, entry[1])
          ready(id, h[2] or 'q')
          did = did + 1
        elseif h[1] ~= 'running' or h[4] ~= entry[1] then
          drop(stream, entry[1])
        end
      end
    end
  end
end
return did
)lua";

constexpr std::string_view kSay = R"lua(
if not isMine(ARGV[1], ARGV[2]) then return 0 end
tell('\n' .. ARGV[1] .. '\n' .. ARGV[3], redis.call('HGET', jobKey(ARGV[1]), 're'))
return 1
)lua";

constexpr std::string_view kCancel = R"lua(
local k = jobKey(ARGV[1])
local h = redis.call('HMGET', k, 'st', 're')
if not h[1] or h[1] == 'done' or h[1] == 'dead' or h[1] == 'cancelled' then return 0 end
redis.call('HSET', k, 'st', 'cancelled', 't1', now)
redis.call('HDEL', k, 'p')
redis.call('PEXPIRE', k, 604800000)
redis.call('ZREM', p .. 'z', ARGV[1])
redis.call('ZREM', p .. 'run', ARGV[1])
count('cancelled')
audit('cancel', ARGV[1])
tell(ARGV[1], h[2])
return 1
)lua";

constexpr std::string_view kRequeue = R"lua(
local k = jobKey(ARGV[1])
local h = redis.call('HMGET', k, 'st', 'did', 'pr')
if h[1] ~= 'dead' then return 0 end
if h[2] then redis.call('XDEL', p .. 'dead', h[2]) end
redis.call('HSET', k, 'att', 0, 'lost', 0)
redis.call('HDEL', k, 'r', 'err', 'did')
story(ARGV[1], 'requeued by ' .. ARGV[2])
audit('requeue', ARGV[1], 'by', ARGV[2])
ready(ARGV[1], h[3] or 'q')
return 1
)lua";

constexpr std::string_view kBury = R"lua(
local k = jobKey(ARGV[1])
if redis.call('EXISTS', k) == 1 then return 0 end
redis.call('HSET', k, 'p', ARGV[2], 'pr', 'q', 'max', 1, 'att', 0, 'lost', 0, 'enq', now)
audit('enqueue', ARGV[1])
die(ARGV[1], ARGV[3])
return 1
)lua";

constexpr std::string_view kForget = R"lua(
for _, id in ipairs(ARGV) do redis.call('HDEL', jobKey(id), 'r') end
return #ARGV
)lua";

// A script of the shared functions and `parts`; its text lives as long as the program.
struct Whole {
    explicit Whole(std::string_view body, bool works = false)
        : text(std::string(kShared) + (works ? std::string(kWork) : std::string()) + std::string(body))
        , script(redisScript(text))
    {
    }
    const std::string text;
    const RedisScript script;
};

} // namespace

const RedisScript& enqueue()
{
    static const Whole whole(kEnqueue);
    return whole.script;
}

const RedisScript& take()
{
    static const Whole whole(kTake, true);
    return whole.script;
}

const RedisScript& start()
{
    static const Whole whole(kStart, true);
    return whole.script;
}

const RedisScript& beat()
{
    static const Whole whole(kBeat, true);
    return whole.script;
}

const RedisScript& done()
{
    static const Whole whole(kDone, true);
    return whole.script;
}

const RedisScript& fail()
{
    static const Whole whole(kFail, true);
    return whole.script;
}

const RedisScript& tend()
{
    static const Whole whole(kTend);
    return whole.script;
}

const RedisScript& say()
{
    static const Whole whole(kSay, true);
    return whole.script;
}

const RedisScript& cancel()
{
    static const Whole whole(kCancel);
    return whole.script;
}

const RedisScript& requeue()
{
    static const Whole whole(kRequeue);
    return whole.script;
}

const RedisScript& bury()
{
    static const Whole whole(kBury);
    return whole.script;
}

const RedisScript& forget()
{
    static const Whole whole(kForget);
    return whole.script;
}

} // namespace sg::workers::scripts
