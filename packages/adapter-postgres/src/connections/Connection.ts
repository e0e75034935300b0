/**
 * Connection to PostgreSQL. Opened by the first message, and opened again by the first message after it was lost.
 *
 * A message consists of statements that are sent together, without waiting for results (pipeline). Each statement has a
 * result of its own. Statements between `BEGIN` and `COMMIT` have no effect if one of them fails.
 *
 * Limits: without a response within the time limit, the connection is closed and the message fails.
 */
import type { Socket } from "node:net"
import { Client, type ClientConfig, DatabaseError, types } from "pg"
import { ConnectionLost } from "./PostgresFailure.ts"

export interface Statement {
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

/** Rows of a statement as arrays, or the error of the statement. */
export interface Result {
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  readonly error?: unknown
  /** Name of the command, such as `COMMIT`. */
  readonly command: string
}

const bigintOid = 20

/** Maximum duration of closing a connection (ms). */
const closeTimeout = 1_000

/** All of our 64-bit integers are below 2^53. */
const parsers: NonNullable<ClientConfig["types"]> = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === bigintOid && format !== "binary" ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser
}

const noRows: Result["rows"] = []

export class Connection {
  readonly #config: ClientConfig
  #client: Client | undefined
  /** Resolves when `#client` is connected. */
  #opening: Promise<Client> | undefined
  #isClosed = false
  /** Number of messages without a response. */
  pending = 0

  constructor(config: ClientConfig) {
    this.#config = { ...config, types: parsers }
  }

  /**
   * Sends statements together. Rejects if the connection is lost, or after `timeout` (ms). Then the statements may have
   * run.
   */
  async send(statements: ReadonlyArray<Statement>, timeout: number): Promise<ReadonlyArray<Result>> {
    this.pending++
    let timer: NodeJS.Timeout | undefined
    let client: Client | undefined
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ConnectionLost(`No response within ${timeout} ms`))
        if (client !== undefined) this.#discard(client)
      }, timeout)
    })
    try {
      return await Promise.race([
        this.#open().then((opened) => {
          client = opened
          return this.#run(opened, statements)
        }),
        expired
      ])
    } finally {
      clearTimeout(timer)
      this.pending--
    }
  }

  /** Closes the connection after the messages that were sent, or after a second. */
  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    if (client === undefined) return
    const timer = setTimeout(() => this.#discard(client), closeTimeout)
    await client.end()
    clearTimeout(timer)
  }

  async #run(client: Client, statements: ReadonlyArray<Statement>): Promise<ReadonlyArray<Result>> {
    let lost: unknown = undefined
    const results = await Promise.all(
      statements.map(({ text, values = [] }) =>
        client.query({ text, values: values as Array<unknown>, rowMode: "array" }).then(
          ({ rows, command }): Result => ({ rows: rows as Result["rows"], command }),
          (error: unknown): Result => {
            if (!(error instanceof DatabaseError)) lost ??= error
            return { rows: noRows, error, command: "" }
          }
        )
      )
    )
    if (lost !== undefined) {
      this.#discard(client)
      throw new ConnectionLost("The connection was lost", { cause: lost })
    }
    return results
  }

  #open(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error("The store is closed"))
    if (this.#opening !== undefined) return this.#opening
    const client = new Client(this.#config)
    client.on("error", () => this.#discard(client))
    client.on("end", () => this.#forget(client))
    this.#client = client
    this.#opening = client.connect().then(
      () => client,
      (error: unknown) => {
        this.#forget(client)
        throw error instanceof DatabaseError ? error : new ConnectionLost("No connection", { cause: error })
      }
    )
    return this.#opening
  }

  #forget(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#opening = undefined
  }

  /** Closes a connection without waiting for the server. The next message opens another one. */
  #discard(client: Client): void {
    this.#forget(client)
    const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
    connection.stream.destroy()
  }
}
