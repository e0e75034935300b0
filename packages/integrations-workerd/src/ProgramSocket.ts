/**
 * Minimal HTTP/1.1 client for the socket of a `workerd` process, with one request at a time on each connection. A
 * general client takes twice as long as most programs. All connections read into one buffer, and used bytes are copied:
 * Node would allocate 64 KiB for each read, a hundred times the size of a response.
 *
 * Limits: 64 KiB for the headers of a response. An idle connection is reused for 3 seconds, since `workerd` closes it
 * after 5. The caller limits the number of connections and the time of a response.
 */
import { connect, type Socket } from "node:net"

const maxHead = 64 * 1024
const readBufferBytes = 64 * 1024
const idleMillis = 3_000

export interface Head {
  readonly status: number
  /** Alternating names and values, unchanged. */
  readonly rawHeaders: ReadonlyArray<string>
}

/** Controls a request whose response arrives. */
export interface Exchange {
  /** Resumes after `data` has returned false. */
  readonly resume: () => void
  /** Closes the connection, which cancels the request. */
  readonly abort: () => void
}

/** Callbacks for one response, in their order. Either `end` or `fail` is called last, once. */
export interface Listener {
  readonly started: (exchange: Exchange) => void
  readonly head: (head: Head) => void
  /** Consumes bytes of the body. Returns false to pause. */
  readonly data: (bytes: Uint8Array) => boolean
  readonly end: () => void
  readonly fail: (error: Error) => void
}

/**
 * Next part of a response. `bytes`: body of known length; `chunk`: chunk of a body; `behind`: line end after a chunk;
 * `rest`: body until the connection ends.
 */
type ResponsePart = "head" | "bytes" | "size" | "chunk" | "behind" | "trailers" | "rest"

const cutOffError = () => new Error("The connection ended in the middle")
const unreadableError = () => new Error("The answer can't be read")

/** Raised if the headers of a response are too long. The process remains usable. */
export class HeadTooLong extends Error {
  constructor() {
    super(`It answers with more than ${maxHead / 1024} KiB of headers`)
  }
}

class Connection {
  readonly #socket: Socket
  readonly #onIdle: (connection: Connection) => void
  #listener: Listener | undefined
  #part: ResponsePart = "head"
  /** Bytes of incomplete headers or of an incomplete line. */
  #incomplete: Buffer | undefined
  #remainingBytes = 0
  #isReusable = true
  #isComplete = false
  /** True while the reader has paused. */
  #isFull = false
  /** Time at which the connection became idle. */
  idleSince = 0

  constructor(
    path: string,
    memory: Buffer,
    onIdle: (connection: Connection) => void,
    onClose: (connection: Connection) => void
  ) {
    this.#onIdle = onIdle
    const callback = (size: number) => {
      this.#receive(memory.subarray(0, size))
      return !this.#isFull
    }
    this.#socket = connect({ path, onread: { buffer: memory, callback } })
    this.#socket.on("end", () => this.#part === "rest" && this.#finish())
    this.#socket.on("error", (error) => this.#failed(error))
    this.#socket.on("close", () => {
      onClose(this)
      this.#failed(cutOffError())
    })
  }

  send(head: string, body: string | ReadonlyArray<Uint8Array>, listener: Listener): void {
    const socket = this.#socket
    this.#listener = listener
    listener.started({
      resume: () => {
        if (this.#listener === listener) this.#resume()
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

  /** False once either side has closed the connection, even if the end of a response is still unread. */
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

  #resume(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.#socket.resume()
  }

  /** Completes a response. The connection is free for the next request. */
  #finish(): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#isComplete = false
    this.#part = "head"
    this.#resume()
    if (this.#isReusable) this.#onIdle(this)
    else this.#socket.destroy()
    listener?.end()
  }

  #receive(bytes: Buffer): void {
    // Input without a request ends the connection, since it would be read as the next response.
    if (this.#listener === undefined) return this.end()
    let unreadBytes: Buffer | undefined =
      this.#incomplete === undefined ? bytes : Buffer.concat([this.#incomplete, bytes])
    this.#incomplete = undefined
    while (unreadBytes !== undefined && unreadBytes.length > 0 && !this.#isComplete && this.#listener !== undefined) {
      unreadBytes = this.#next(unreadBytes)
    }
    if (!this.#isComplete) return
    // Input after the end of a response makes the connection unusable.
    this.#isReusable &&= unreadBytes === undefined || unreadBytes.length === 0
    this.#finish()
  }

  /** Parses the next part and returns the remaining bytes, or undefined if the part is incomplete. */
  #next(bytes: Buffer): Buffer | undefined {
    switch (this.#part) {
      case "head":
        return this.#readUpTo(bytes, "\r\n\r\n", (text) => this.#readHead(text))
      case "size":
        return this.#readUpTo(bytes, "\r\n", (text) => this.#readSize(text))
      case "behind":
        return this.#readUpTo(bytes, "\r\n", (text) =>
          text === "" ? (this.#part = "size") : this.#failed(unreadableError())
        )
      case "trailers":
        return this.#readUpTo(bytes, "\r\n", (text) => {
          this.#isComplete = text === ""
        })
      case "rest":
        this.#deliver(bytes)
        return undefined
      default: {
        const part = bytes.subarray(0, this.#remainingBytes)
        this.#remainingBytes -= part.length
        this.#deliver(part)
        if (this.#remainingBytes === 0) {
          if (this.#part === "bytes") this.#isComplete = true
          else this.#part = "behind"
        }
        return bytes.subarray(part.length)
      }
    }
  }

  #deliver(bytes: Uint8Array): void {
    if (this.#listener?.data(Buffer.from(bytes)) === false) this.#isFull = true
  }

  #readUpTo(bytes: Buffer, end: string, read: (text: string) => unknown): Buffer | undefined {
    const index = bytes.indexOf(end, 0, "latin1")
    if (index === -1 || index > maxHead) {
      if (bytes.length > maxHead) this.#failed(this.#part === "head" ? new HeadTooLong() : unreadableError())
      else this.#incomplete = Buffer.from(bytes)
      return undefined
    }
    read(bytes.toString("latin1", 0, index))
    return bytes.subarray(index + end.length)
  }

  #readHead(text: string): void {
    const [statusLine, ...headerLines] = text.split("\r\n")
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine!)?.[1])
    if (Number.isNaN(status)) return this.#failed(unreadableError())
    // An informational response (1xx) is skipped, since another response follows.
    if (status < 200) return
    const rawHeaders: Array<string> = []
    let length: number | undefined
    let isChunked = false
    let isReusable = statusLine!.startsWith("HTTP/1.1")
    for (const line of headerLines) {
      const colon = line.indexOf(":")
      if (colon < 1) return this.#failed(unreadableError())
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
          isReusable = !/\bclose\b/i.test(value)
      }
    }
    if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0)) return this.#failed(unreadableError())
    const isEmpty = status === 204 || status === 304 || (!isChunked && length === 0)
    this.#part = isEmpty ? "head" : isChunked ? "size" : length === undefined ? "rest" : "bytes"
    this.#remainingBytes = length ?? 0
    this.#isReusable = isReusable && this.#part !== "rest"
    this.#listener!.head({ status, rawHeaders })
    this.#isComplete = isEmpty
  }

  #readSize(text: string): void {
    const size = /^[\da-f]{1,12}(?=[ \t;]|$)/i.exec(text)?.[0]
    if (size === undefined) return this.#failed(unreadableError())
    this.#remainingBytes = Number.parseInt(size, 16)
    this.#part = this.#remainingBytes === 0 ? "trailers" : "chunk"
  }
}

export class ProgramSocket {
  readonly #path: string
  readonly #openConnections = new Set<Connection>()
  readonly #memory = Buffer.allocUnsafeSlow(readBufferBytes)
  /** Idle connections, most recently used last. */
  #idleConnections: Array<Connection> = []

  constructor(path: string) {
    this.#path = path
  }

  /** Sends a request. `head` ends with an empty line and matches `body`. */
  request(head: string, body: string | ReadonlyArray<Uint8Array>, listener: Listener): void {
    this.#connection().send(head, body, listener)
  }

  /** Closes all connections. Their requests fail. */
  end(): void {
    for (const connection of this.#openConnections) connection.end()
  }

  #connection(): Connection {
    let idleConnection = this.#idleConnections.pop()
    while (idleConnection?.isOpen === false) idleConnection = this.#idleConnections.pop()
    if (idleConnection !== undefined) {
      if (performance.now() - idleConnection.idleSince < idleMillis) return idleConnection
      // All other idle connections are older, so they are closed too.
      for (const oldConnection of [idleConnection, ...this.#idleConnections.splice(0)]) oldConnection.end()
    }
    const newConnection = new Connection(
      this.#path,
      this.#memory,
      (connection) => {
        connection.idleSince = performance.now()
        this.#idleConnections.push(connection)
      },
      (connection) => {
        this.#openConnections.delete(connection)
        const index = this.#idleConnections.indexOf(connection)
        if (index !== -1) this.#idleConnections.splice(index, 1)
      }
    )
    this.#openConnections.add(newConnection)
    return newConnection
  }
}
