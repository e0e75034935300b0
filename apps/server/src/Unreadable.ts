/**
 * Answers what Node's HTTP parser can't read, waits for in vain, or reads where whoever stands in front may have
 * read something else (`refusalOf`), as everything else is answered: with the error body and an id. Each connection is answered once, behind the answers that it still waits for,
 * and then ends. What the client goes on to send is read and thrown away for 2 seconds, since a
 * connection that is closed with something unread is reset, and takes the answer with it.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

const draining = 2_000

export interface Refusal {
  readonly code: number
  readonly message: string
}

/** By the code of the error; whatever else can't be read is no HTTP. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { code: 431, message: "The headers of the request are larger than 16 KiB" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 413, message: "The chunks of the body carry too much beside the body" },
  HPE_INVALID_METHOD: { code: 400, message: "The request begins with no method of HTTP" },
  HPE_INVALID_HEADER_TOKEN: { code: 400, message: "A header of the request holds a character that none may hold" },
  HPE_INVALID_CONTENT_LENGTH: { code: 400, message: "Content-Length is no number" },
  HPE_UNEXPECTED_CONTENT_LENGTH: { code: 400, message: "The request says in two ways how long its body is" },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, message: "The request took too long to arrive" }
}
const unreadable: Refusal = { code: 400, message: "The request can't be read as HTTP" }

/** Codes of errors of which nobody would hear an answer: the client is gone, or has not begun to speak TLS. */
const unheard = new Set(["ECONNRESET", "EPIPE", "ERR_TLS_HANDSHAKE_TIMEOUT"])

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
  501: "Not Implemented"
}

/** How often a request names its host. Node keeps the first name alone; its list of all there was is cheap to look through. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && (name === "Host" || name.toLowerCase() === "host")) hosts++
  }
  return hosts
}

/** A host with or without a port, as RFC 3986 §3.2 has them; it may be empty. */
const host = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** The refusal of a request that Node has read, and none should (RFC 9112 §3.2 and §6.1). */
export const refusalOf = (request: IncomingMessage): Refusal | undefined => {
  const hosts = hostsOf(request)
  if (hosts > 1) return { code: 400, message: "The request names its host more than once" }
  if (hosts === 0 && request.httpVersion === "1.1") return { code: 400, message: "The request names no host" }
  if (!host.test(request.headers.host ?? ""))
    return { code: 400, message: "The request names a host that can't be one" }
  const coding = request.headers["transfer-encoding"]
  return coding === undefined || coding.toLowerCase() === "chunked"
    ? undefined
    : { code: 501, message: "The only Transfer-Encoding that is read here is chunked" }
}

export type Refuse = (request: IncomingMessage, refusal: Refusal) => void

const bodyOf = ({ code, message }: Refusal, requestId: string) =>
  JSON.stringify({ error: { code, message, requestId } })

/** Has the server answer them, with the ids that this gives. What it gives back refuses a request whose turn it is. */
export const answer = (server: Server, nextId: () => string): Refuse => {
  /** The last request of each connection. */
  const last = new WeakMap<Duplex, readonly [IncomingMessage, ServerResponse]>()
  const answered = new WeakSet<Duplex>()

  const end = (socket: Duplex, refusal: Refusal) => {
    if (!socket.writable) return socket.destroy()
    const id = nextId()
    const body = bodyOf(refusal, id)
    const head = [
      `HTTP/1.1 ${refusal.code} ${reasons[refusal.code]}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      `X-Request-Id: ${id}`
    ]
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
    const late = setTimeout(() => socket.destroy(), draining)
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(late))
    return socket.resume()
  }

  const refuse = (socket: Duplex, refusal: Refusal) => {
    if (answered.has(socket)) return
    answered.add(socket)
    const [request, response] = last.get(socket) ?? []
    if (request === undefined || response === undefined || response.writableFinished || response.destroyed) {
      end(socket, refusal)
    } else if (request.complete) {
      // What can't be read came behind it: its answer goes first.
      response.once("close", () => end(socket, refusal))
    } else if (response.headersSent) socket.destroy()
    else end(socket, refusal)
  }

  server.prependListener("request", (request, response) => {
    last.set(request.socket, [request, response])
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== undefined && unheard.has(error.code)) return void socket.destroy()
    refuse(socket, refusals[error.code ?? ""] ?? unreadable)
  })
  server.on("connect", (_request, socket) => {
    // Node hands the connection over, and no longer listens for its errors: one that nobody hears ends the process.
    socket.on("error", () => socket.destroy())
    refuse(socket, { code: 405, message: "This server is no proxy: it does not take CONNECT" })
  })
  server.on("checkExpectation", (request, response) => {
    last.set(request.socket, [request, response])
    const id = nextId()
    const body = bodyOf({ code: 417, message: "The server meets no expectation but 100-continue" }, id)
    const headers = { "content-type": "application/json", "x-request-id": id, connection: "close" }
    response.writeHead(417, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
  })
  return (request, refusal) => {
    answered.add(request.socket)
    end(request.socket, refusal)
    request.resume()
  }
}
