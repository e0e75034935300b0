/**
 * Responds to requests that Node's HTTP parser rejects or that time out, and to ambiguous requests that a proxy may have
 * read in another way (`refusalOf`). The response has the format of all errors: the error body and a request id.
 *
 * A connection gets one such response, after the responses of earlier requests, and is then closed. Further input is
 * discarded for 2 seconds: closing a socket with unread input resets the connection, and the response would be lost.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

const drainTimeout = 2_000

export interface Refusal {
  readonly code: number
  readonly message: string
}

/** Responses by the code of the parser's error. The default is `unreadable`. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { code: 431, message: "The headers of the request are larger than 16 KiB" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 413, message: "The chunk extensions of the body are too long" },
  HPE_INVALID_METHOD: { code: 400, message: "The request has an invalid method" },
  HPE_INVALID_HEADER_TOKEN: { code: 400, message: "A header of the request contains an invalid character" },
  HPE_INVALID_CONTENT_LENGTH: { code: 400, message: "Content-Length is not a number" },
  HPE_UNEXPECTED_CONTENT_LENGTH: { code: 400, message: "The request has both Content-Length and Transfer-Encoding" },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, message: "The request took too long to arrive" }
}
const unreadable: Refusal = { code: 400, message: "The request can't be read as HTTP" }

/** Codes of errors without a response: the client has disconnected, or the TLS handshake is not complete. */
const unanswerable = new Set(["ECONNRESET", "EPIPE", "ERR_TLS_HANDSHAKE_TIMEOUT"])

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
  501: "Not Implemented"
}

/** Returns the number of Host headers. Node's `headers` has only the first one; `rawHeaders` has all. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && (name === "Host" || name.toLowerCase() === "host")) hosts++
  }
  return hosts
}

/** A host with an optional port (RFC 3986 §3.2). It may be empty. */
const host = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Returns the refusal of a request that Node accepts and RFC 9112 §3.2 or §6.1 rejects. */
export const refusalOf = (request: IncomingMessage): Refusal | undefined => {
  const hosts = hostsOf(request)
  if (hosts > 1) return { code: 400, message: "The request has more than one Host header" }
  if (hosts === 0 && request.httpVersion === "1.1") return { code: 400, message: "The request has no Host header" }
  if (!host.test(request.headers.host ?? "")) return { code: 400, message: "The Host header of the request is invalid" }
  const coding = request.headers["transfer-encoding"]
  return coding === undefined || coding.toLowerCase() === "chunked"
    ? undefined
    : { code: 501, message: "Unsupported Transfer-Encoding: use chunked" }
}

export type Refuse = (request: IncomingMessage, refusal: Refusal) => void

const bodyOf = ({ code, message }: Refusal, requestId: string) =>
  JSON.stringify({ error: { code, message, requestId } })

/** Adds the listeners to a server. Returns a function that refuses a request that Node accepted. */
export const handleUnreadable = (server: Server, nextId: () => string): Refuse => {
  /** Last request of each connection. */
  const lastRequests = new WeakMap<Duplex, readonly [IncomingMessage, ServerResponse]>()
  const refusedSockets = new WeakSet<Duplex>()

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
    const closeTimer = setTimeout(() => socket.destroy(), drainTimeout)
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(closeTimer))
    return socket.resume()
  }

  const refuse = (socket: Duplex, refusal: Refusal) => {
    if (refusedSockets.has(socket)) return
    refusedSockets.add(socket)
    const [request, response] = lastRequests.get(socket) ?? []
    if (request === undefined || response === undefined || response.writableFinished || response.destroyed) {
      end(socket, refusal)
    } else if (request.complete) {
      // The unreadable input follows a complete request, whose response is sent first.
      response.once("close", () => end(socket, refusal))
    } else if (response.headersSent) socket.destroy()
    else end(socket, refusal)
  }

  server.prependListener("request", (request, response) => {
    lastRequests.set(request.socket, [request, response])
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== undefined && unanswerable.has(error.code)) return void socket.destroy()
    refuse(socket, refusals[error.code ?? ""] ?? unreadable)
  })
  server.on("connect", (_request, socket) => {
    // Node no longer handles errors of this socket, and an unhandled error would end the process.
    socket.on("error", () => socket.destroy())
    refuse(socket, { code: 405, message: "CONNECT is not supported: this server is not a proxy" })
  })
  server.on("checkExpectation", (request, response) => {
    lastRequests.set(request.socket, [request, response])
    const id = nextId()
    const body = bodyOf({ code: 417, message: "Unsupported Expect header: use 100-continue" }, id)
    const headers = { "content-type": "application/json", "x-request-id": id, connection: "close" }
    response.writeHead(417, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
  })
  return (request, refusal) => {
    refusedSockets.add(request.socket)
    end(request.socket, refusal)
    request.resume()
  }
}
