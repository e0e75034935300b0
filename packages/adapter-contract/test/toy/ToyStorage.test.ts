/**
 * The toy of `docs/guides/write-an-adapter.md` passes every suite, as that page promises, and those of transactions
 * where its commits are kept by something that answers later, too.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterCommitSuite } from "@lectern/adapter-contract/AfterCommitSuite"
import { concurrencySuite } from "@lectern/adapter-contract/ConcurrencySuite"
import { harnessOf } from "@lectern/adapter-contract/Harness"
import { items } from "@lectern/adapter-contract/Invented"
import { misuseSuite } from "@lectern/adapter-contract/MisuseSuite"
import { stepsSuite } from "@lectern/adapter-contract/StepsSuite"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { transactionSuite } from "@lectern/adapter-contract/TransactionSuite"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect, Fiber } from "effect"
import * as ToyStorage from "./ToyStorage.ts"

const fresh = (more: Partial<ToyStorage.Options> = {}) =>
  harnessOf((onCommit) => ToyStorage.layer({ onCommit, ...more }))

storageSuites("ToyStorage", fresh())

const later = fresh({ keep: () => new Promise((resolve) => setImmediate(resolve)) })
for (const suite of [transactionSuite, afterCommitSuite, misuseSuite, stepsSuite, concurrencySuite]) {
  suite("ToyStorage that keeps later", later)
}

describe("a toy that keeps later", () => {
  const over = (keep: () => Promise<void>) => Effect.provide(fresh({ keep })().layer)

  it.effect("answers who wrote when it is kept, and shows it to others before", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return Effect.gen(function* () {
      const { repository } = yield* items
      const writing = yield* Effect.forkChild(repository.insert({ id: "a" }))
      while ((yield* repository.count({})) === 0) yield* Effect.yieldNow
      assert.isUndefined(writing.pollUnsafe())
      resolve()
      yield* Fiber.join(writing)
    }).pipe(over(() => promise))
  })

  it.effect("fails who wrote what can't be kept, and refuses everything from then on", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const writes = [repository.insert({ id: "a" }), repository.insert({ id: "b" })]
      const reads = [repository.count({}), storage.generation, storage.probe]
      for (const refused of [...writes, ...reads]) {
        const error = yield* Effect.flip(refused)
        assert.instanceOf(error, StorageError)
        assert.propertyVal(error, "reason", "damaged")
      }
    }).pipe(over(() => Promise.reject(new Error("nobody answers"))))
  )
})
