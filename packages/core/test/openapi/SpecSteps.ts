/** Shared steps of spec tests over both adapters, with simulated web servers. */
import { assert } from "@effect/vitest"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { checking, FetchFailed, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { memoryLayer } from "../Adapters.ts"

/** Simulated web: a text, a failure, or an effect that returns a text, by URL. */
export class Outside extends Context.Service<Outside, Map<string, string | FetchFailed | Effect.Effect<string>>>()(
  "@lectern/core/test/Outside"
) {
  static readonly layer = Layer.sync(Outside, () => new Map())
}

const fetching = Layer.effect(
  GuardedFetch,
  Effect.map(Outside, (outside) =>
    GuardedFetch.of({
      check: checking(new AllowedHosts()),
      fetch: (url, { maxBytes }) =>
        Effect.suspend((): Effect.Effect<string, FetchFailed> => {
          assert.strictEqual(maxBytes, 20 * 1024 * 1024)
          const found = outside.get(url) ?? new FetchFailed({ reason: "failed", message: "There is nothing" })
          return typeof found === "string" ? Effect.succeed(found) : Effect.isEffect(found) ? found : Effect.fail(found)
        }).pipe(Effect.map((text) => ({ bytes: new TextEncoder().encode(text), url }))),
      stream: () => Effect.die("A spec is fetched whole"),
      requestHead: () => Effect.die("A spec is fetched"),
      post: () => Effect.die("Nothing is sent to the host of a spec")
    })
  )
)

export const adapters = {
  memory: memoryLayer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

export const url = "https://api.example.com/openapi.json"
export const failed = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), failureOf)

export const failureOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? (Cause.squash(exit.cause) as { readonly _tag: string })._tag : undefined

export const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
export const asHost = Effect.provideService(CurrentActor, host)

/** Returns Lectern over an adapter, with the simulated web. */
export const servicesOver = (storage: (typeof adapters)["memory"] | (typeof adapters)["sqlite"]) =>
  Layer.unwrap(
    Effect.map(Outside, (outside) =>
      Lectern.layer({
        hasher: NodeHasher.layer,
        fetch: fetching.pipe(Layer.provide(Layer.succeed(Outside, outside)))
      })
    )
  ).pipe(Layer.provideMerge(storage), Layer.provideMerge(Outside.layer), Layer.merge(Layer.succeed(CurrentActor, host)))

export type Services = Layer.Success<ReturnType<typeof servicesOver>>
