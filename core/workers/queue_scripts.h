#pragma once

#include "core/workers/redis.h"

// What is done to a role's queue. Each script is one atomic step, so that a client that dies between two
// leaves nothing half done. The key of each is the role's prefix, "sg:{NAMESPACE}:ROLE:", and all keys begin
// with it:
//
//   q, hi, lo     streams of the field j=<job>; their group is "w"
//   at:<consumer> stream: jobs whose partition's session is at that worker; crew: set of those
//   pin:<part>    the worker that did the partition's last job, for ten minutes
//   job:<job>     hash: st (ready, delayed, running, done, dead, cancelled), p payload, r result, pr stream,
//                 att attempts, max, lost, fence, sid entry, w consumer, exp, re reply list, did entry in
//                 `dead`, err, enq, t0, t1, hist the story of its attempts
//   z             sorted set: job by the time it is due, in ms
//   run           sorted set: job by the time its lease ends, in ms
//   dead          stream: j, why, att
//   audit         stream: e, j, w, att, fence, t
//   fence         the newest fence
//   ctl           hash: paused, rate, burst, conc; tokens and ts are the bucket's
//   stat          hash: enqueued, done, retried, dead, lost, cancelled, stale
//   wk:<consumer> hash with an expiry: a worker that lives
//   re:<client>   list: jobs that a client waits for and that ended; and "\n<job>\n<bytes>", what a job says
namespace sg::workers::scripts {

const RedisScript&
enqueue(); // job, payload, stream, most attempts, delay ms, reply list, partition → st, 1 if new
// consumer, lease ms, most lost, count, [finished: entry, job, fence, stream, result, keep ms] → {what, …}
const RedisScript& take();
const RedisScript& start(); // consumer, lease ms, most lost, stream, entry, job
const RedisScript& beat(); // consumer, lease ms, entry, job, fence, stream
const RedisScript& done(); // entry, job, fence, stream, result, keep ms
const RedisScript& fail(); // entry, job, fence, stream, error, result, retry, base ms, cap ms, part, after ms
const RedisScript& tend(); // most lost, lease ms, consumer: promotes what is due, takes back what was lost
const RedisScript& say(); // job, fence, bytes: for who waits, while the job runs
const RedisScript& cancel(); // job
const RedisScript& requeue(); // job, actor
const RedisScript& bury(); // job, payload, why: a dead letter from the start
const RedisScript& forget(); // job…: their results were stored

} // namespace sg::workers::scripts
