/**
 * Body of a program's answer, read in one piece or as a stream.
 *
 * Limit: where nobody reads it, the program waits after 64 KiB.
 */
import { Readable } from "node:stream"
import type { Dispatcher } from "undici"

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

export interface Head {
  readonly status: number
  /** As they came: names and values in turns. */
  readonly rawHeaders: ReadonlyArray<string>
}

/** Answer of a process as it comes, without a stream where nobody wants one. */
export class ProgramAnswer implements Dispatcher.DispatchHandler, AnswerBody {
  readonly #started: (head: Head) => void
  readonly #failed: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  readonly #chunks: Array<Uint8Array> = []
  #size = 0
  #isWhole: boolean | undefined
  #reader: Reader | undefined

  constructor(started: (head: Head) => void, failed: (error: Error) => void) {
    this.#started = started
    this.#failed = failed
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return
    this.#started({ status, rawHeaders: (rawHeaders as ReadonlyArray<Buffer | string>).map(textOf) })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#reader !== undefined) {
      if (!this.#reader.chunk(chunk)) controller.pause()
      return
    }
    this.#chunks.push(chunk)
    this.#size += chunk.byteLength
    if (this.#size > held) controller.pause()
  }

  onResponseEnd(): void {
    this.#end(true)
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
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
        if (isBegun) return void this.#controller?.resume()
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
    if (this.#isWhole === undefined) this.#controller?.abort(new Error("Nobody reads it"))
  }

  #read(reader: Reader): void {
    this.#reader = reader
    let mayGoOn = true
    for (const chunk of this.#chunks.splice(0)) mayGoOn = reader.chunk(chunk)
    if (this.#isWhole !== undefined) reader.end(this.#isWhole)
    else if (mayGoOn) this.#controller?.resume()
  }

  #end(isWhole: boolean): void {
    if (this.#isWhole !== undefined) return
    this.#isWhole = isWhole
    this.#reader?.end(isWhole)
  }
}

const textOf = (text: Buffer | string): string => (typeof text === "string" ? text : text.toString("latin1"))
