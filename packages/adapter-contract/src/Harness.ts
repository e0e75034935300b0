/**
 * Defines what to pass to the test suites of an adapter, and creates the suites. A test of an adapter takes a few
 * lines:
 *
 * ```ts
 * storageSuites("MemoryStorage", harnessOf((onCommit) => MemoryStorage.layerWith({ onCommit })))
 * ```
 */
import { describe, it } from "@effect/vitest"
import type { SecretKey } from "@lectern/core/identity/SecretKey"
import type { BlobStore } from "@lectern/core/storage/BlobStore"
import type { ObjectStore } from "@lectern/core/storage/ObjectStore"
import type { SearchIndex } from "@lectern/core/storage/SearchIndex"
import type { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, type Layer, type Schema, type Scope } from "effect"

export type Ports = Storage | ObjectStore | BlobStore | SearchIndex | SecretKey

export interface Store {
  /** Provides a new, empty store for one test. */
  readonly layer: Layer.Layer<Ports, StorageError>
  /** Makes the next commit fail, as a full disk would. */
  readonly failNextCommit: () => void
}

export type Harness = () => Store

/** Creates a harness for an adapter that calls `onCommit` before each commit and fails the commit if it throws. */
export const harnessOf =
  (layer: (onCommit: () => void) => Store["layer"]): Harness =>
  () => {
    let failing = false
    const onCommit = () => {
      if (!failing) return
      failing = false
      throw new Error("there is no room left")
    }
    return {
      layer: layer(onCommit),
      failNextCommit: () => {
        failing = true
      }
    }
  }

export type Body<E> = Effect.Effect<void, E, Ports | Scope.Scope>

export interface Scenario {
  <E>(name: string, body: (store: Store) => Body<E>): void
  /** Property test: must hold for all inputs of the schema, each with a store of its own. */
  readonly law: <A, E>(name: string, input: Schema.Schema<A>, body: (input: A) => Body<E>) => void
}

/** Number of cases per property test, and their seed. */
export interface PropertyRuns {
  readonly runs: number
  readonly seed: number
}

export type Suite = (name: string, harness: Harness, laws?: PropertyRuns) => void

/** Creates a suite of scenarios, each with a store of its own. */
export const suite =
  (title: string, define: (scenario: Scenario) => void): Suite =>
  (name, harness, laws = { runs: 40, seed: 1 }) => {
    const over = <E>(body: (store: Store) => Body<E>) =>
      Effect.suspend(() => {
        const store = harness()
        return Effect.scoped(Effect.provide(body(store), store.layer, { local: true }))
      })
    const scenario = <E>(name: string, body: (store: Store) => Body<E>) => it.effect(name, () => over(body))
    const law: Scenario["law"] = (name, input, body) =>
      it.effect.prop(name, [input], ([value]) => over(() => body(value)), { arbitrary: laws })
    describe(`${name}: ${title}`, () => define(Object.assign(scenario, { law })))
  }
