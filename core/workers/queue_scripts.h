#pragma once

#include "core/workers/redis.h"

#include <cstddef>
#include <string>
#include <vector>

// The steps that are done to a role's queue. Each script is one atomic step, so that a client that dies
// between two leaves nothing half done. The key of each is the role's prefix, "sg:{NAMESPACE}:ROLE:", and all
// keys begin with it:
//
//   q, hi, lo     streams of the field j=<job>, of jobs that are ready; their group is "w"
//   at:<consumer> stream: jobs whose partition's session is at that worker; crew: set of those
//   pin:<part>    the worker that did the partition's last job, for ten minutes
//   job:<job>     hash: st (ready, delayed, running, done, dead, cancelled), p payload, r result, pr stream,
//                 att attempts, max (absent: 1), lost, fence, w consumer, re reply list, did entry in `dead`,
//                 err, enq, t0, t1, hist the story of its attempts
//   z             sorted set: job by the time it is due, in ms
//   run           sorted set: job by the time its lease ends, in ms
//   dead          stream: j, why, att
//   audit         stream: e, w; then of each job j, att, fence
//   clock         the server's time when it was last tended
//   ctl           hash: paused, rate, burst, conc; tokens and ts are the bucket's
//   stat          hash: enqueued, done, retried, dead, lost, cancelled, discarded, stale
//   wk:<consumer> hash with an expiry: a worker that lives
//   re:<client>   list: jobs that a client waits for and that ended; and "\n<job>\n<bytes>", what a job says
namespace sg::workers::scripts {

// Each: job, payload, stream, most attempts, delay ms, reply list, partition → state of each
const RedisScript& enqueue();
// consumer, lease ms, count, turn, keep ms, number of finished, each: job, fence, result
// → {ms to wait, {1 where it counted, …}, {job, …}}
const RedisScript& take();
const RedisScript& start(); // consumer, lease ms, stream, entry, job → the same
const RedisScript& beat(); // lease ms, each: job, fence → 1 where it is its worker's
const RedisScript& done(); // keep ms, each: job, fence, result → 1 where it counted
const RedisScript& fail(); // job, fence, error, result, retry, base ms, cap ms, part, after ms
const RedisScript& tend(); // most lost, lease ms, consumer: promotes what is due, takes back what was lost
const RedisScript& say(); // job, fence, bytes: for who waits, while the job runs
const RedisScript& cancel(); // job
const RedisScript& requeue(); // actor, each: job → 1 where it was dead
const RedisScript& discard(); // keep ms, actor, each: job, entry in `dead` → 1 where there was such a letter
const RedisScript& bury(); // job, payload, why: a dead letter from the start
const RedisScript& forget(); // job…: their results were stored

std::vector<const RedisScript*> all();
// The commands that it calls: what a user who runs it must be allowed.
std::vector<std::string> commandsOf(const RedisScript& script);

// At most so many jobs are given to one call of a script: the server does nothing else meanwhile, and Lua
// passes on no more than 8,000 words.
constexpr std::size_t kMostTogether = 200;

} // namespace sg::workers::scripts
