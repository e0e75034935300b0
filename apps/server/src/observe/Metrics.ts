/**
 * Measures of the server for Prometheus, at `/metrics` of a port of their own: requests by route with
 * their times, the process, the database and its jobs. Nothing in them names a user, a token, a path or a text.
 *
 * What is asked of the process and the database is looked up when somebody asks for it, at most once a second.
 */
import { statSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { roomOf } from "@lectern/adapter-sqlite/LogRoom"
import { JobTable } from "@lectern/core/job/Job"
import { Storage } from "@lectern/core/storage/Storage"
import type { Observer } from "@lectern/http/server/Observation"
import { Clock, Context, Effect, Metric, Schedule } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as OpenMetrics from "./OpenMetrics.ts"

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const durations = Metric.histogram("lectern_http_request_duration_seconds", {
  description: "Time until an answer was there to be sent, by route and status",
  boundaries: buckets
})

const keptAnswers = Metric.counter("lectern_kept_answers_total", {
  description: "Answers that were kept, and given again",
  incremental: true
})

const nothing = Context.empty()
const known = new Map<string, typeof durations>()

/** Counts a request. A route and a status are few: paths that nobody knows are one. */
export const observe: Observer = ({ method, route, status, millis, isCacheHit }) => {
  const key = `${method} ${route} ${status}`
  const metric = known.get(key) ?? Metric.withAttributes(durations, { method, route, status: String(status) })
  known.set(key, metric)
  metric.updateUnsafe(millis / 1_000, nothing)
  if (isCacheHit) keptAnswers.updateUnsafe(1, nothing)
}

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const gauges = {
  cpu: gauge("process_cpu_seconds", "Processor time of the process since it started"),
  resident: gauge("process_resident_memory_bytes", "Memory of the process"),
  started: gauge("process_start_time_seconds", "When the process started"),
  heap: gauge("nodejs_heap_size_used_bytes", "Heap in use"),
  external: gauge("nodejs_external_memory_bytes", "Memory of buffers outside of the heap"),
  loopMedian: gauge("nodejs_eventloop_lag_p50_seconds", "Delay of the event loop since it was asked last, median"),
  loopHigh: gauge("nodejs_eventloop_lag_p99_seconds", "The same, 99th percentile"),
  loopLongest: gauge("nodejs_eventloop_lag_max_seconds", "The same, longest"),
  database: gauge("lectern_database_bytes", "Size of the database file"),
  log: gauge("lectern_database_log_bytes", "Size of the write-ahead log beside it"),
  free: gauge("lectern_disk_free_bytes", "Room on the disk of the data folder, as far as the server may take it"),
  commits: gauge("lectern_database_commits", "Commits that this process has seen"),
  failedJobs: gauge("lectern_jobs_failed", "Jobs that failed for good"),
  dueJobs: gauge("lectern_jobs_due", "Jobs that wait although they are due"),
  oldestJob: gauge("lectern_jobs_oldest_due_seconds", "How long the oldest of them has been due"),
  up: gauge("lectern_up", "1 while the database can be read and written")
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Undefined where it can't be told: an alert on a full disk is no answer to that. */
const freeBeside = (path: string): number | undefined => {
  try {
    return roomOf(path).free()
  } catch {
    return undefined
  }
}

/** When the process started, the same at every look: whoever counts its changes counts restarts. */
const startedAt = performance.timeOrigin / 1_000

/** Brings the measures of the process and the database up to date. */
const look = Effect.fnUntraced(function* (filename: string) {
  const storage = yield* Storage
  const jobs = storage.repository(JobTable)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => delay.disable()))

  const ofJobs = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = { status: "waiting", due: { lte: new Date(now).toISOString() } } as const
    const [oldest] = yield* jobs.list({ where: due, order: ["due"], limit: 1 })
    yield* Metric.update(gauges.dueJobs, yield* jobs.count(due))
    yield* Metric.update(gauges.oldestJob, oldest === undefined ? 0 : (now - Date.parse(oldest.dueAt)) / 1_000)
    yield* Metric.update(gauges.failedJobs, yield* jobs.count({ status: "failed" }))
    yield* Metric.update(gauges.commits, (yield* storage.generation) ?? 0)
    yield* storage.probe
  })

  const ofProcess = Effect.gen(function* () {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    yield* Metric.update(gauges.cpu, (user + system) / 1e6)
    yield* Metric.update(gauges.resident, rss)
    yield* Metric.update(gauges.heap, heapUsed)
    yield* Metric.update(gauges.external, external)
    yield* Metric.update(gauges.started, startedAt)
    yield* Metric.update(gauges.loopMedian, delay.percentile(50) / 1e9)
    yield* Metric.update(gauges.loopHigh, delay.percentile(99) / 1e9)
    yield* Metric.update(gauges.loopLongest, delay.max / 1e9)
    yield* Effect.sync(() => delay.reset())
    yield* Metric.update(gauges.database, sizeOf(filename))
    yield* Metric.update(gauges.log, sizeOf(`${filename}-wal`))
    const free = freeBeside(filename)
    if (free !== undefined) yield* Metric.update(gauges.free, free)
  })

  return Effect.andThen(
    ofProcess,
    Effect.matchEffect(ofJobs, {
      onSuccess: () => Metric.update(gauges.up, 1),
      onFailure: () => Metric.update(gauges.up, 0)
    })
  )
})

/** How often it looks for those that are sent measures, and don't ask for them. */
const pause = "10 seconds"

/** Looks for as long as it runs. */
export const keepLooking = (filename: string) =>
  Effect.flatMap(look(filename), (looked) => Effect.repeat(looked, Schedule.spaced(pause)))

/** The answers of the port: `/metrics`, and 404 for all else. */
export const app = Effect.fnUntraced(function* (filename: string) {
  const fresh = yield* Effect.cachedWithTTL(yield* look(filename), "1 second")
  const text = Effect.andThen(fresh, PrometheusMetrics.format())
  return Effect.gen(function* () {
    const { method, url, headers } = yield* HttpServerRequest.HttpServerRequest
    if (method !== "GET" || url.split("?")[0] !== "/metrics") return HttpServerResponse.empty({ status: 404 })
    const measures = yield* text
    return OpenMetrics.isWanted(headers["accept"])
      ? HttpServerResponse.text(OpenMetrics.of(measures), { contentType: OpenMetrics.contentType })
      : HttpServerResponse.text(measures, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })
})
