/**
 * Stores Lectern in PostgreSQL: rows, objects, blobs and the search index, in one schema. Several processes may use one
 * schema at once.
 *
 * Transactions run on data in the memory of the process, and are checked at the commit (see `RemoteTransactions`). A
 * transaction whose data is available takes one message. Tables are created on first use, and copied if their descriptor
 * has changed.
 *
 * Defaults: schema `lectern`; 4 connections to read, and one to commit; operations fail with `unavailable` after 5 seconds
 * without the server.
 *
 * Limits: PostgreSQL 15 or later, with the encoding UTF8. No extension is needed. Blobs are rows of the database. All
 * processes commit one after another.
 */
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import type { BlobStore } from "@lectern/core/storage/BlobStore"
import type { ObjectStore } from "@lectern/core/storage/ObjectStore"
import type { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { type Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, Layer } from "effect"
import type { ClientConfig } from "pg"
import { Connections } from "./connections/Connections.ts"
import { codeOf, storageFailure } from "./connections/PostgresFailure.ts"
import { makeStore } from "./PostgresStore.ts"
import { format, schemaStatements } from "./tables/Schema.ts"
import { quoted } from "./tables/TableLayout.ts"

export interface StorageOptions {
  /** URL of the database, such as `postgres://user:password@host:5432/lectern`. */
  readonly url: string
  /** Secret key for encryption, which is never stored in the database. See `SecretKey.fromKeys`. */
  readonly secretKey: SecretKey["Service"]
  /** Schema of all tables. Created if it does not exist. Default: `lectern`. */
  readonly schema?: string
  /** TLS options (see `tls.connect`). `true`: verifies the certificate of the server. Default: no TLS. */
  readonly ssl?: ClientConfig["ssl"]
  /** Number of connections that read. Default: 4. */
  readonly readers?: number
  /** Time without a response of the server after which an operation fails (ms). Default: 5,000. */
  readonly timeout?: number
}

const optionNames: OptionNames<StorageOptions> = {
  url: true,
  secretKey: true,
  schema: true,
  ssl: true,
  readers: true,
  timeout: true
}

const defaultTimeout = 5_000

/** Creates the tables of the adapter if they are missing. */
const prepareSchema = async (connections: Connections, schema: string): Promise<void> => {
  const [encoding, existing] = await connections.read([
    { text: "SHOW server_encoding" },
    { text: "SELECT to_regclass($1) IS NOT NULL", values: [`${schema}.lectern_search_word`] }
  ])
  if (encoding!.rows[0]![0] !== "UTF8") {
    throw new StorageError({ reason: "failed", message: "The encoding of the database must be UTF8" })
  }
  if (existing!.rows[0]![0] !== true) await createSchema(connections, schema)
  const [state] = await connections.read([{ text: `SELECT format FROM ${schema}.lectern_store` }])
  if ((state!.rows[0]![0] as number) > format) {
    throw new StorageError({ reason: "newer-version", message: "A newer version of Lectern wrote the database" })
  }
}

/** SQLSTATE codes: unique violation, and duplicate schema, table and object. Another process created them first. */
const duplicates = new Set(["23505", "42P06", "42P07", "42710"])

const createSchema = (connections: Connections, schema: string): Promise<void> =>
  connections.write(async (send) => {
    const texts = ["BEGIN", ...schemaStatements(schema), "COMMIT"]
    for (;;) {
      const results = await send(texts.map((text) => ({ text })))
      const failed = results.find(({ error }) => error !== undefined)
      if (failed === undefined) return
      if (!duplicates.has(codeOf(failed.error) ?? "")) throw storageFailure(failed.error)
    }
  })

/** Opens a store. `onCommit`: see `makeStore`. */
export const openStore = Effect.fnUntraced(function* (
  {
    readers = 4,
    schema: schemaName = "lectern",
    ssl,
    timeout = defaultTimeout,
    url
  }: Omit<StorageOptions, "secretKey">,
  onCommit: () => void = () => {}
) {
  const schema = quoted(schemaName)
  const config: ClientConfig = {
    connectionString: url,
    ...(ssl !== undefined && { ssl }),
    application_name: "lectern",
    pipeline: true,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    lock_timeout: timeout,
    idle_in_transaction_session_timeout: timeout
  } as ClientConfig
  const connections = yield* Effect.acquireRelease(
    Effect.sync(() => new Connections(config, readers, timeout)),
    (connections) => Effect.promise(() => connections.close())
  )
  yield* Effect.tryPromise({ try: () => prepareSchema(connections, schema), catch: storageFailure })
  return { connections, stores: yield* makeStore(connections, schema, onCommit) }
})

export const PostgresStorage = {
  /** Creates the layer of a database. Throws `InvalidInput` for an unknown option. */
  layer: (
    options: StorageOptions
  ): Layer.Layer<Storage | ObjectStore | BlobStore | SearchIndex | SecretKey, StorageError> => {
    checkOptions(optionNames, options)
    const { secretKey, ...storeOptions } = options
    return Layer.merge(
      Layer.effectContext(Effect.map(openStore(storeOptions), ({ stores }) => stores)),
      Layer.succeed(SecretKey, secretKey)
    )
  }
}
