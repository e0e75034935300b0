/**
 * Body of a program's response, read as a whole or as a stream.
 *
 * Limit: 64 KiB of an unread body are buffered. The program then waits.
 */
import { Readable } from "node:stream"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

/** Maximum number of buffered bytes of an unread body. */
export const maxBuffered = 64 * 1024

/** A complete body, or the reason of its failure. */
export type BodyResult = Uint8Array | "too large" | "cut off"

export interface ResponseBody {
  /** Reads the whole body, once. Cancels it if it has more than `maxBytes` bytes. */
  readonly readAll: (maxBytes: number, done: (read: BodyResult) => void) => void
  readonly stream: () => Readable
}

const concatenated = (chunks: ReadonlyArray<Uint8Array>) => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

export const bodyOf = (body: Readable): ResponseBody => ({
  stream: () => body,
  readAll: (maxBytes, done) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    body.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size <= maxBytes) return void chunks.push(chunk)
      done("too large")
      body.destroy()
    })
    body.on("end", () => done(concatenated(chunks)))
    for (const eventName of ["error", "close"]) {
      body.on(eventName, () => {
        if (!body.readableEnded) done("cut off")
      })
    }
  }
})

interface BodyReader {
  /** Consumes a chunk. Returns false to pause. */
  readonly chunk: (bytes: Uint8Array) => boolean
  readonly end: (isComplete: boolean) => void
}

/** Response of a process while it arrives. A stream is created only on demand. */
export class ProgramResponse implements Listener, ResponseBody {
  readonly head: (head: Head) => void
  readonly #onFailure: (error: Error) => void
  readonly #onEnd: () => void
  #exchange: Exchange | undefined
  readonly #chunks: Array<Uint8Array> = []
  #size = 0
  #isComplete: boolean | undefined
  #reader: BodyReader | undefined

  /**
   * `onFailure` may be called after `head`. The reader of the body gets the failure, too. `onEnd` is called once the
   * response has ended, complete or not.
   */
  constructor(head: (head: Head) => void, onFailure: (error: Error) => void, onEnd = () => {}) {
    this.head = head
    this.#onFailure = onFailure
    this.#onEnd = onEnd
  }

  started(exchange: Exchange): void {
    this.#exchange = exchange
  }

  data(bytes: Uint8Array): boolean {
    if (this.#reader !== undefined) return this.#reader.chunk(bytes)
    this.#chunks.push(bytes)
    this.#size += bytes.byteLength
    return this.#size <= maxBuffered
  }

  end(): void {
    this.#end(true)
  }

  fail(error: Error): void {
    this.#onFailure(error)
    this.#end(false)
  }

  readAll(maxBytes: number, done: (read: BodyResult) => void): void {
    const chunks: Array<Uint8Array> = []
    let size = 0
    this.#read({
      chunk: (bytes) => {
        size += bytes.byteLength
        if (size <= maxBytes) chunks.push(bytes)
        else if (size - bytes.byteLength <= maxBytes) {
          done("too large")
          this.abort()
        }
        return true
      },
      end: (isComplete) => {
        if (size <= maxBytes) done(isComplete ? concatenated(chunks) : "cut off")
      }
    })
  }

  stream(): Readable {
    let hasStarted = false
    const stream = new Readable({
      read: () => {
        if (hasStarted) return void this.#exchange?.resume()
        hasStarted = true
        this.#read({
          chunk: (bytes) => stream.push(bytes),
          end: (isComplete) => (isComplete ? void stream.push(null) : void stream.destroy(new Error("Cut off")))
        })
      },
      destroy: (error, done) => {
        this.abort()
        done(error)
      }
    })
    return stream
  }

  /** Reads and discards the rest of the body. */
  drop(): void {
    if (this.#isComplete === undefined) this.#read({ chunk: () => true, end: () => {} })
  }

  /** Aborts the request and its connection, unless the response has ended. */
  abort(): void {
    if (this.#isComplete === undefined) this.#exchange?.abort()
  }

  #read(reader: BodyReader): void {
    this.#reader = reader
    let canContinue = true
    for (const chunk of this.#chunks.splice(0)) canContinue = reader.chunk(chunk)
    if (this.#isComplete !== undefined) reader.end(this.#isComplete)
    else if (canContinue) this.#exchange?.resume()
  }

  #end(isComplete: boolean): void {
    if (this.#isComplete !== undefined) return
    this.#isComplete = isComplete
    this.#reader?.end(isComplete)
    this.#onEnd()
  }
}
