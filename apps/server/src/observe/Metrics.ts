/**
 * Metrics of the server for Prometheus, at `/metrics` of a separate port: durations of requests by route, the process,
 * the database and its jobs. No metric contains a user, a token, a path or content.
 *
 * The metrics of the process and the database are read when metrics are requested, at most once a second.
 */
import { statSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { diskSpaceOf } from "@lectern/adapter-sqlite/durability/LogCapacity"
import { IntegrationQueueTable } from "@lectern/core/integration/IntegrationEvent"
import { JobTable } from "@lectern/core/job/Job"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import type { Respond } from "@lectern/http/server/HttpApp"
import type { Observer } from "@lectern/http/server/Observation"
import { Clock, Context, Effect, Metric, Schedule } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as OpenMetrics from "./OpenMetrics.ts"

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const durations = Metric.histogram("lectern_http_request_duration_seconds", {
  description: "Time until a response was ready to be sent, by route and status",
  boundaries: buckets
})

const cachedResponses = Metric.counter("lectern_kept_answers_total", {
  description: "Responses from the response cache",
  incremental: true
})

const emptyContext = Context.empty()
const metricsByKey = new Map<string, typeof durations>()

/** Counts a request. The number of labels is small: all unknown paths have one route. */
export const observe: Observer = ({ method, route, status, millis, isCacheHit }) => {
  const key = `${method} ${route} ${status}`
  const metric = metricsByKey.get(key) ?? Metric.withAttributes(durations, { method, route, status: String(status) })
  metricsByKey.set(key, metric)
  metric.updateUnsafe(millis / 1_000, emptyContext)
  if (isCacheHit) cachedResponses.updateUnsafe(1, emptyContext)
}

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const gauges = {
  cpu: gauge("process_cpu_seconds", "Processor time of the process since it started"),
  resident: gauge("process_resident_memory_bytes", "Resident memory of the process"),
  started: gauge("process_start_time_seconds", "Start time of the process"),
  heap: gauge("nodejs_heap_size_used_bytes", "Heap in use"),
  external: gauge("nodejs_external_memory_bytes", "Memory of buffers outside of the heap"),
  loopMedian: gauge("nodejs_eventloop_lag_p50_seconds", "Delay of the event loop since the last read, median"),
  loopHigh: gauge("nodejs_eventloop_lag_p99_seconds", "Delay of the event loop since the last read, 99th percentile"),
  loopLongest: gauge("nodejs_eventloop_lag_max_seconds", "Delay of the event loop since the last read, maximum"),
  database: gauge("lectern_database_bytes", "Size of the database file"),
  log: gauge("lectern_database_log_bytes", "Size of the write-ahead log of the database"),
  free: gauge("lectern_disk_free_bytes", "Free space on the disk of the data folder that the server may use"),
  commits: gauge("lectern_database_commits", "Commits observed by this process"),
  failedJobs: gauge("lectern_jobs_failed", "Dead letters: jobs that failed permanently"),
  dueJobs: gauge("lectern_jobs_due", "Jobs, and receivers of deliveries, that are due"),
  oldestJob: gauge("lectern_jobs_oldest_due_seconds", "Time since the oldest of them was due"),
  up: gauge("lectern_up", "1 while the database can be read and written")
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Returns the free space of the disk, or undefined if unknown, so that an unknown value does not look like a full disk. */
const freeSpace = (path: string): number | undefined => {
  try {
    return diskSpaceOf(path).free()
  } catch {
    return undefined
  }
}

/** Start time of the process in seconds. Constant for the process, so that its changes count restarts. */
const startedAt = performance.timeOrigin / 1_000

/** Returns an effect that updates the metrics of the process and the database. */
const makeUpdate = Effect.fnUntraced(function* (filename: string) {
  const storage = yield* Storage
  const jobs = storage.repository(JobTable)
  const receivers = storage.repository(IntegrationQueueTable)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => delay.disable()))

  const ofJobs = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = { due: { lte: Timestamps.at(now) } }
    const oldest = [jobs, receivers].map((rows) => rows.list({ where: due, order: ["due"], limit: 1 }))
    const dueTimes = (yield* Effect.all(oldest)).flat().map(({ lease }) => Date.parse(lease.until))
    yield* Metric.update(gauges.dueJobs, (yield* jobs.count(due)) + (yield* receivers.count(due)))
    yield* Metric.update(gauges.oldestJob, (now - Math.min(now, ...dueTimes)) / 1_000)
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
    const freeBytes = freeSpace(filename)
    if (freeBytes !== undefined) yield* Metric.update(gauges.free, freeBytes)
  })

  return Effect.andThen(
    ofProcess,
    Effect.matchEffect(ofJobs, {
      onSuccess: () => Metric.update(gauges.up, 1),
      onFailure: () => Metric.update(gauges.up, 0)
    })
  )
})

/** Update interval of metrics that are pushed to a collector. */
const updateInterval = "10 seconds"

/** Updates the metrics periodically until interrupted. */
export const updatePeriodically = (filename: string) =>
  Effect.flatMap(makeUpdate(filename), (update) => Effect.repeat(update, Schedule.spaced(updateInterval)))

/** Returns the application of the port: `/metrics`, and 404 for all other requests. */
export const app = Effect.fnUntraced(function* (filename: string) {
  const cachedUpdate = yield* Effect.cachedWithTTL(yield* makeUpdate(filename), "1 second")
  const text = Effect.andThen(cachedUpdate, PrometheusMetrics.format())
  const respond: Respond = ({ method, url, headers }) => {
    if (method !== "GET" || url.split("?")[0] !== "/metrics") return { status: 404, headers: {}, body: undefined }
    return Effect.map(text, (measures) => ({
      response: OpenMetrics.isAccepted(headers["accept"])
        ? HttpServerResponse.text(OpenMetrics.toOpenMetrics(measures), { contentType: OpenMetrics.contentType })
        : HttpServerResponse.text(measures, { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
      headers: {}
    }))
  }
  return respond
})
