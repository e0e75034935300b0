/** A complete Lectern over each adapter, with one organization and without workers: tests run due jobs themselves. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Extension, ExtensionServices } from "@lectern/core/Extension"
import type { SecretKey } from "@lectern/core/identity/SecretKey"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { Storage } from "@lectern/core/storage/Storage"
import { Effect, Layer } from "effect"
import { memoryLayer } from "./Adapters.ts"
import { temporaryFile } from "../../adapter-sqlite/test/TemporaryFile.ts"

export const actor = Layer.succeed(CurrentActor, host)

/** Returns a Lectern with other options over each adapter. */
export const adaptersWith = <X extends Extension = never>(options: Lectern.LecternOptions<X>) => {
  const lectern = Lectern.layer({ hasher: NodeHasher.layer, ...options })
  return {
    memory: lectern.pipe(Layer.provideMerge(memoryLayer), Layer.merge(actor)),
    sqlite: lectern.pipe(
      Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))),
      Layer.merge(actor)
    )
  }
}

export const adapters = adaptersWith({})

const lectern = Lectern.layer({ hasher: NodeHasher.layer })

/** For tests that count the calls of a port: bodies of transactions run once. */
export const adaptersWithoutReruns = {
  ...adapters,
  memory: lectern.pipe(Layer.provideMerge(MemoryStorage.layer), Layer.merge(actor))
}

export type Services = Layer.Success<(typeof adapters)["memory"]>

export const organization = Effect.gen(function* () {
  return (yield* (yield* Organizations).create({ title: "Acme" })).id
})

export type Instance<X extends Extension = never> = Lectern.LecternServices | ExtensionServices<X> | SecretKey

/** Returns a separate Lectern over a store. */
export const instance = <E, X extends Extension = never>(
  storage: Layer.Layer<Storage, E>,
  options: Lectern.LecternOptions<X> = {}
) =>
  Layer.fresh(
    Lectern.layer({ hasher: NodeHasher.layer, ...options }).pipe(Layer.provideMerge(storage as Layer.Layer<any, E>))
  ) as Layer.Layer<Instance<X>, E>

/** Two instances that share only their file, like two processes. */
export const twoOnOneFile = Effect.gen(function* () {
  const filename = yield* temporaryFile
  const open = Layer.build(instance(SqliteStorage.layer({ filename })))
  return [yield* open, yield* open]
})
