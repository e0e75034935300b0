/** Creates job workers with test handlers, and runs tests on every store. */
import { describe, it } from "@effect/vitest"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Ids } from "@lectern/core/identity/Ids"
import * as Job from "@lectern/core/job/Job"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { Jobs } from "@lectern/core/job/Jobs"
import { JobWorker, type JobWorkerOptions } from "@lectern/core/job/JobWorker"
import type { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Context, Duration, Effect, Layer, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { turns } from "../Turns.ts"
import { memoryLayer } from "../Adapters.ts"

export const Note = Schema.Struct({ id: Schema.String })
export const NoteTable = Table.make("note", Note, { key: ["id"] })
export const Write = Job.kind("write", Note)

const adapters = {
  memory: memoryLayer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

/** Waits until all fibers without timers have continued. */
export const soon = turns(20)

export const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), soon)

export const workerOf = (handler: Job.JobHandler, options?: JobWorkerOptions) =>
  Effect.map(
    Layer.build(JobWorker.layer([Effect.succeed(handler)], options).pipe(Layer.provide(JobHandlers.layer))),
    (context) => Context.get(context, JobWorker)
  )

/**
 * Creates a worker of `Write` jobs. It shuts down without waiting: the test clock does not advance at the end, so a
 * failed test would hang.
 */
export const worker = (
  run: (job: Job.RunningJob<typeof Note.Type>) => Effect.Effect<void, unknown>,
  options?: JobWorkerOptions
) => workerOf(Job.handler(Write, run), { shutdownTimeout: { seconds: 0 }, ...options })

type Test = (title: string, body: Effect.Effect<void, unknown, Storage | Jobs | Ids | Scope.Scope>) => void

export const onEveryStore = (what: string, tests: (test: Test) => void) => {
  for (const [name, storageLayer] of Object.entries(adapters)) {
    const services = Jobs.layer.pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(storageLayer))
    describe(`${what} (${name})`, () => {
      tests((title, body) => it.effect(title, () => soon.pipe(Effect.andThen(body), Effect.provide(services))))
    })
  }
}
