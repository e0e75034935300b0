/**
 * Connections to the socket of a process, with one request at a time on each, in HTTP/1.1 as `workerd` speaks it. A
 * request is written in one piece, and its answer is read as it comes: a client for any server takes twice as long
 * as most programs do. All connections read into the same memory, and what is kept of it is copied: by itself Node
 * makes 64 KiB for each read, and answers are a hundredth of that.
 *
 * Limits: 64 KiB for the head of an answer. A connection that rests is used again for 3 seconds: `workerd` closes it
 * after 5. How many are open at once is for whoever asks to bound; how long an answer takes, too.
 */
import { connect, type Socket } from "node:net"

const maxHead = 64 * 1024
const readAtOnce = 64 * 1024
const restsFor = 3_000

export interface Head {
  readonly status: number
  /** As they came: names and values in turns. */
  readonly rawHeaders: ReadonlyArray<string>
}

/** The request whose answer comes. */
export interface Exchange {
  /** Goes on after `data` has answered false. */
  readonly resume: () => void
  /** Ends the connection, and with it the request. */
  readonly abort: () => void
}

/** Told of one answer, in this order; last `end` or `fail`, once. */
export interface Listener {
  readonly asked: (exchange: Exchange) => void
  readonly head: (head: Head) => void
  /** False: it wants no more for now. */
  readonly data: (bytes: Uint8Array) => boolean
  readonly end: () => void
  readonly fail: (error: Error) => void
}

/** The part of an answer that comes next. `bytes` of a length, `chunk` of a chunk, `rest` until the connection ends. */
type Part = "head" | "bytes" | "size" | "chunk" | "behind" | "trailers" | "rest"

const cutOff = () => new Error("The connection ended in the middle")
const unreadable = () => new Error("The answer can't be read")

/** Of an answer whose head is longer than may be; nothing else is wrong with who gives it. */
export class HeadTooLong extends Error {
  constructor() {
    super(`It answers with more than ${maxHead / 1024} KiB of headers`)
  }
}

class Connection {
  readonly #socket: Socket
  readonly #rests: (connection: Connection) => void
  #listener: Listener | undefined
  #part: Part = "head"
  /** Bytes of a head or a line that is not all there. */
  #held: Buffer | undefined
  #left = 0
  #mayStay = true
  #isWhole = false
  /** Nobody wants more for now. */
  #isFull = false
  /** When it last had nothing to do. */
  restsSince = 0

  constructor(
    path: string,
    memory: Buffer,
    rests: (connection: Connection) => void,
    gone: (connection: Connection) => void
  ) {
    this.#rests = rests
    const callback = (size: number) => {
      this.#take(memory.subarray(0, size))
      return !this.#isFull
    }
    this.#socket = connect({ path, onread: { buffer: memory, callback } })
    this.#socket.on("end", () => this.#part === "rest" && this.#finish())
    this.#socket.on("error", (error) => this.#failed(error))
    this.#socket.on("close", () => {
      gone(this)
      this.#failed(cutOff())
    })
  }

  ask(head: string, body: string | ReadonlyArray<Uint8Array>, listener: Listener): void {
    const socket = this.#socket
    this.#listener = listener
    listener.asked({
      resume: () => {
        if (this.#listener === listener) this.#goOn()
      },
      abort: () => {
        if (this.#listener === listener) this.end()
      }
    })
    if (typeof body === "string") return void socket.write(head + body, "utf8")
    socket.cork()
    socket.write(head, "latin1")
    for (const part of body) socket.write(part)
    socket.uncork()
  }

  /** False once it was ended, from here or there, also while the last of an answer is still read from it. */
  get isOpen(): boolean {
    return this.#socket.writable
  }

  end(): void {
    this.#socket.destroy()
  }

  #failed(error: Error): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#socket.destroy()
    listener?.fail(error)
  }

  #goOn(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.#socket.resume()
  }

  /** The answer is all there: the connection is free for the next request. */
  #finish(): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#isWhole = false
    this.#part = "head"
    this.#goOn()
    if (this.#mayStay) this.#rests(this)
    else this.#socket.destroy()
    listener?.end()
  }

  #take(bytes: Buffer): void {
    // Nothing was asked: whatever this is, the next answer would be taken for another one's.
    if (this.#listener === undefined) return this.end()
    let rest: Buffer | undefined = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes])
    this.#held = undefined
    while (rest !== undefined && rest.length > 0 && !this.#isWhole && this.#listener !== undefined) {
      rest = this.#next(rest)
    }
    if (!this.#isWhole) return
    // Behind the end of an answer nothing may come.
    this.#mayStay &&= rest === undefined || rest.length === 0
    this.#finish()
  }

  /** Takes the next part, and gives what is behind it; undefined where more must come first. */
  #next(bytes: Buffer): Buffer | undefined {
    switch (this.#part) {
      case "head":
        return this.#upTo(bytes, "\r\n\r\n", (text) => this.#readHead(text))
      case "size":
        return this.#upTo(bytes, "\r\n", (text) => this.#readSize(text))
      case "behind":
        return this.#upTo(bytes, "\r\n", (text) => (text === "" ? (this.#part = "size") : this.#failed(unreadable())))
      case "trailers":
        return this.#upTo(bytes, "\r\n", (text) => {
          this.#isWhole = text === ""
        })
      case "rest":
        this.#give(bytes)
        return undefined
      default: {
        const part = bytes.subarray(0, this.#left)
        this.#left -= part.length
        this.#give(part)
        if (this.#left === 0) {
          if (this.#part === "bytes") this.#isWhole = true
          else this.#part = "behind"
        }
        return bytes.subarray(part.length)
      }
    }
  }

  #give(bytes: Uint8Array): void {
    if (this.#listener?.data(Buffer.from(bytes)) === false) this.#isFull = true
  }

  #upTo(bytes: Buffer, end: string, read: (text: string) => unknown): Buffer | undefined {
    const at = bytes.indexOf(end, 0, "latin1")
    if (at === -1 || at > maxHead) {
      if (bytes.length > maxHead) this.#failed(this.#part === "head" ? new HeadTooLong() : unreadable())
      else this.#held = Buffer.from(bytes)
      return undefined
    }
    read(bytes.toString("latin1", 0, at))
    return bytes.subarray(at + end.length)
  }

  #readHead(text: string): void {
    const [first, ...lines] = text.split("\r\n")
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first!)?.[1])
    if (Number.isNaN(status)) return this.#failed(unreadable())
    // One that another answer follows.
    if (status < 200) return
    const rawHeaders: Array<string> = []
    let length: number | undefined
    let isChunked = false
    let mayStay = first!.startsWith("HTTP/1.1")
    for (const line of lines) {
      const colon = line.indexOf(":")
      if (colon < 1) return this.#failed(unreadable())
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
      rawHeaders.push(name, value)
      switch (name.toLowerCase()) {
        case "content-length":
          length = Number(value)
          break
        case "transfer-encoding":
          isChunked = /\bchunked$/i.test(value)
          break
        case "connection":
          mayStay = !/\bclose\b/i.test(value)
      }
    }
    if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0)) return this.#failed(unreadable())
    const isEmpty = status === 204 || status === 304 || (!isChunked && length === 0)
    this.#part = isEmpty ? "head" : isChunked ? "size" : length === undefined ? "rest" : "bytes"
    this.#left = length ?? 0
    this.#mayStay = mayStay && this.#part !== "rest"
    this.#listener!.head({ status, rawHeaders })
    this.#isWhole = isEmpty
  }

  #readSize(text: string): void {
    const size = /^[\da-f]{1,12}(?=[ \t;]|$)/i.exec(text)?.[0]
    if (size === undefined) return this.#failed(unreadable())
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? "trailers" : "chunk"
  }
}

export class ProgramSocket {
  readonly #path: string
  readonly #open = new Set<Connection>()
  readonly #memory = Buffer.allocUnsafeSlow(readAtOnce)
  /** Those that rest, the one used last at the end. */
  #resting: Array<Connection> = []

  constructor(path: string) {
    this.#path = path
  }

  /** Asks with a head that ends with an empty line; `body` as it says there. */
  ask(head: string, body: string | ReadonlyArray<Uint8Array>, listener: Listener): void {
    this.#connection().ask(head, body, listener)
  }

  /** Ends all connections; what is asked on them fails. */
  end(): void {
    for (const connection of this.#open) connection.end()
  }

  #connection(): Connection {
    let known = this.#resting.pop()
    while (known?.isOpen === false) known = this.#resting.pop()
    if (known !== undefined) {
      if (performance.now() - known.restsSince < restsFor) return known
      // All before it have rested for longer.
      for (const old of [known, ...this.#resting.splice(0)]) old.end()
    }
    const made = new Connection(
      this.#path,
      this.#memory,
      (connection) => {
        connection.restsSince = performance.now()
        this.#resting.push(connection)
      },
      (connection) => {
        this.#open.delete(connection)
        const at = this.#resting.indexOf(connection)
        if (at !== -1) this.#resting.splice(at, 1)
      }
    )
    this.#open.add(made)
    return made
  }
}
