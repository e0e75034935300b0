/**
 * Connections of one process: some to read, and one to write.
 *
 * A message that only reads is repeated on a new connection if its connection is lost. Operations fail with `unavailable`
 * after the time limit.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { ClientConfig } from "pg"
import { Connection, type Result, type Statement } from "./Connection.ts"
import { isDisconnect, storageFailure, unavailable } from "./PostgresFailure.ts"

/** Sends statements together (see `Connection`). Rejects if the connection is lost. */
export type Send = (statements: ReadonlyArray<Statement>) => Promise<ReadonlyArray<Result>>

/** Pause before a message is repeated (ms). */
const retryPause = 50

export class Connections {
  readonly #readers: ReadonlyArray<Connection>
  readonly #writer: Connection
  readonly #timeout: number
  #writing: Promise<unknown> = Promise.resolve()
  /** Numbers of messages that were sent. */
  readonly messages = { read: 0, write: 0 }

  /** `timeout`: time limit of an operation (ms). */
  constructor(config: ClientConfig, readers: number, timeout: number) {
    this.#readers = Array.from({ length: readers }, () => new Connection(config))
    this.#writer = new Connection(config)
    this.#timeout = timeout
  }

  /** Runs statements that only read. Rejects with a `StorageError` if one fails. */
  async read(statements: ReadonlyArray<Statement>): Promise<ReadonlyArray<Result>> {
    const results = await this.#repeated((timeout) => {
      const [first, ...others] = this.#readers
      const idle = others.reduce((best, reader) => (reader.pending < best.pending ? reader : best), first!)
      return this.#send(idle, statements, timeout)
    })
    const failed = results.find(({ error }) => error !== undefined)
    if (failed !== undefined) throw storageFailure(failed.error)
    return results
  }

  /**
   * Runs `use` with the connection that writes, as its only user, and again if the connection is lost. `use` must be
   * repeatable. Rejects with a `StorageError`.
   */
  write<A>(use: (send: Send) => Promise<A>): Promise<A> {
    const result = this.#writing.then(() =>
      this.#repeated((timeout) => use((statements) => this.#send(this.#writer, statements, timeout)))
    )
    this.#writing = result.catch(() => {})
    return result
  }

  async close(): Promise<void> {
    await this.#writing
    await Promise.all([...this.#readers, this.#writer].map((connection) => connection.close()))
  }

  async #send(connection: Connection, statements: ReadonlyArray<Statement>, timeout: number) {
    this.messages[connection === this.#writer ? "write" : "read"]++
    const results = await connection.send(statements, timeout)
    const lost = results.find(({ error }) => error !== undefined && isDisconnect(error))
    if (lost !== undefined) throw lost.error
    return results
  }

  async #repeated<A>(run: (timeout: number) => Promise<A>): Promise<A> {
    const end = performance.now() + this.#timeout
    for (;;) {
      try {
        return await run(Math.max(1, end - performance.now()))
      } catch (thrown) {
        if (!isDisconnect(thrown)) throw storageFailure(thrown)
        if (performance.now() + retryPause >= end) throw unavailable(thrown)
        await sleep(retryPause)
      }
    }
  }
}
