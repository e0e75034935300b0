/**
 * Body of a program's answer, read in one piece or as a stream.
 *
 * Limit: where nobody reads it, the program waits after 64 KiB.
 */
import { Readable } from "node:stream"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

/** How much of a body is held while nobody reads it, in bytes. */
export const held = 64 * 1024

/** A body in one piece, or why there is none. */
export type Whole = Uint8Array | "too large" | "cut off"

export interface AnswerBody {
  /** All of it, once; it is given up where it has more bytes than this. */
  readonly whole: (maxBytes: number, done: (read: Whole) => void) => void
  readonly stream: () => Readable
}

const oneOf = (chunks: ReadonlyArray<Uint8Array>) => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

export const bodyOf = (body: Readable): AnswerBody => ({
  stream: () => body,
  whole: (maxBytes, done) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    body.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size <= maxBytes) return void chunks.push(chunk)
      done("too large")
      body.destroy()
    })
    body.on("end", () => done(oneOf(chunks)))
    for (const end of ["error", "close"]) {
      body.on(end, () => {
        if (!body.readableEnded) done("cut off")
      })
    }
  }
})

interface Reader {
  /** False: it wants no more for now. */
  readonly chunk: (bytes: Uint8Array) => boolean
  readonly end: (isWhole: boolean) => void
}

/** Answer of a process as it comes, without a stream where nobody wants one. */
export class ProgramAnswer implements Listener, AnswerBody {
  readonly head: (head: Head) => void
  readonly #failed: (error: Error) => void
  readonly #over: () => void
  #exchange: Exchange | undefined
  readonly #chunks: Array<Uint8Array> = []
  #size = 0
  #isWhole: boolean | undefined
  #reader: Reader | undefined

  /**
   * `failed` may come behind `head`, too: whoever reads learns of it then. `over` is called once no more of it will come,
   * whether it is whole or not.
   */
  constructor(head: (head: Head) => void, failed: (error: Error) => void, over = () => {}) {
    this.head = head
    this.#failed = failed
    this.#over = over
  }

  asked(exchange: Exchange): void {
    this.#exchange = exchange
  }

  data(bytes: Uint8Array): boolean {
    if (this.#reader !== undefined) return this.#reader.chunk(bytes)
    this.#chunks.push(bytes)
    this.#size += bytes.byteLength
    return this.#size <= held
  }

  end(): void {
    this.#end(true)
  }

  fail(error: Error): void {
    this.#failed(error)
    this.#end(false)
  }

  whole(maxBytes: number, done: (read: Whole) => void): void {
    const chunks: Array<Uint8Array> = []
    let size = 0
    this.#read({
      chunk: (bytes) => {
        size += bytes.byteLength
        if (size <= maxBytes) chunks.push(bytes)
        else if (size - bytes.byteLength <= maxBytes) {
          done("too large")
          this.giveUp()
        }
        return true
      },
      end: (isWhole) => {
        if (size <= maxBytes) done(isWhole ? oneOf(chunks) : "cut off")
      }
    })
  }

  stream(): Readable {
    let isBegun = false
    const stream = new Readable({
      read: () => {
        if (isBegun) return void this.#exchange?.resume()
        isBegun = true
        this.#read({
          chunk: (bytes) => stream.push(bytes),
          end: (isWhole) => (isWhole ? void stream.push(null) : void stream.destroy(new Error("Cut off")))
        })
      },
      destroy: (error, done) => {
        this.giveUp()
        done(error)
      }
    })
    return stream
  }

  /** Takes in what is left of it, and keeps nothing. */
  drop(): void {
    if (this.#isWhole === undefined) this.#read({ chunk: () => true, end: () => {} })
  }

  /** Ends the request, and its connection, unless it is over. */
  giveUp(): void {
    if (this.#isWhole === undefined) this.#exchange?.abort()
  }

  #read(reader: Reader): void {
    this.#reader = reader
    let mayGoOn = true
    for (const chunk of this.#chunks.splice(0)) mayGoOn = reader.chunk(chunk)
    if (this.#isWhole !== undefined) reader.end(this.#isWhole)
    else if (mayGoOn) this.#exchange?.resume()
  }

  #end(isWhole: boolean): void {
    if (this.#isWhole !== undefined) return
    this.#isWhole = isWhole
    this.#reader?.end(isWhole)
    this.#over()
  }
}
