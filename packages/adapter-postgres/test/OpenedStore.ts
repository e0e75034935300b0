/** Stores for tests: each has a schema of its own in the server of the test file. */
import type { Ports } from "@lectern/adapter-contract/Harness"
import { openStore } from "@lectern/adapter-postgres/PostgresStorage"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, Effect, Layer, type Scope } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll } from "vitest"
import { PostgresServer } from "./PostgresServer.ts"

/** Tests run on busy machines. */
const timeout = 60_000

let server: PostgresServer | undefined
let schemas = 0

/** Starts a server for the tests of the calling file. */
export const useServer = (): void => {
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(async () => {
    await server!.stop()
    server = undefined
  })
}

/** Returns the URL of the server of the file, or of the run (see `ServerOfRun`). */
const url = () => server?.url() ?? process.env["LECTERN_TEST_POSTGRES"]!

/** Returns options of a new, empty store. Its schema is dropped at the end. */
export const newStore = Effect.acquireRelease(
  Effect.sync(() => ({ url: url(), schema: `test_${process.pid}_${schemas++}`, timeout, readers: 2 })),
  ({ schema, url }) =>
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    })
)

const secretKey = Layer.build(Layer.fresh(SecretKey.layerInMemory))

const withSecretKey = (onCommit: () => void, options: Effect.Success<typeof newStore>) =>
  Effect.gen(function* () {
    const { stores } = yield* openStore(options, onCommit)
    return Context.merge(stores, yield* secretKey)
  })

/** A new, empty store. */
export const layer = (onCommit: () => void = () => {}): Layer.Layer<Ports, StorageError> =>
  Layer.effectContext(Effect.flatMap(newStore, (options) => withSecretKey(onCommit, options)))

/** A new store, opened twice. Each behaves like a process of its own. */
export const openTwice: Effect.Effect<
  readonly [Context.Context<Ports>, Context.Context<Ports>],
  StorageError,
  Scope.Scope
> = Effect.gen(function* () {
  const options = yield* newStore
  const open = withSecretKey(() => {}, options)
  return [yield* open, yield* open] as const
})
