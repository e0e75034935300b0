/**
 * Converts a handler of `Request` and `Response` for `node:http`, Express, Fastify and others with Node.js's requests.
 *
 * ```ts
 * const sites = await siteHandler(lectern, { site: site.id, at: "/help" })
 * app.use(toNodeHandler(sites))
 * ```
 *
 * Bodies are streamed in both directions. A client that disconnects aborts its request. A body that a parser of the
 * host has read before is passed on if it is JSON, a text or bytes.
 *
 * The origin of a request is its `Host` header, with `https` if the connection uses TLS or if Express says so
 * (`trust proxy`). Pass `at` as a URL after other proxies.
 */
import type { MountedApiHandler } from "./fetch.ts"
import * as RequestedUrl from "./server/RequestedUrl.ts"

/** `IncomingMessage` of `node:http`, with the fields that Express and parsers of bodies add. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly socket: object
  readonly readableDidRead: boolean
  /** Path and query before a router removed its prefix. */
  readonly originalUrl?: string
  readonly protocol?: string
  readonly body?: unknown
}

/** `ServerResponse` of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writeHead: (status: number, headers?: Array<string>) => unknown
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: () => unknown
  readonly destroy: () => unknown
  readonly on: (event: string, listener: () => void) => unknown
}

/** Handles a request. `next` runs if the handler has no response, and receives errors. */
export type NodeHandler = (
  message: NodeRequest,
  response: NodeResponse,
  next?: (error?: Error) => void
) => Promise<void>

/**
 * Converts a handler. Without `next`, a request without a response gets 404, an error 500, and a request with an
 * invalid `Host` header always 400.
 */
export const toNodeHandler =
  ({ fetch }: Pick<MountedApiHandler, "fetch">): NodeHandler =>
  async (message, response, next) => {
    const url = urlOf(message)
    if (url === undefined) return sendStatus(response, 400)
    const abort = new AbortController()
    response.on("close", () => abort.abort())
    try {
      const result = await fetch(new Request(url, { ...requestInit(message), signal: abort.signal }))
      if (result !== undefined) await send(result, response, message.method === "HEAD")
      else if (next === undefined) sendStatus(response, 404)
      else next()
    } catch (error) {
      if (response.destroyed) return
      if (response.headersSent) response.destroy()
      else if (next === undefined) sendStatus(response, 500)
      else next(error instanceof Error ? error : new Error(String(error)))
    }
  }

const sendStatus = (response: NodeResponse, status: number): void => {
  response.writeHead(status)
  response.end()
}

/** Returns the URL that the client requested; undefined if the request has no valid host. */
const urlOf = (message: NodeRequest): URL | undefined => {
  const isSecure = "encrypted" in message.socket || message.protocol === "https"
  const target = message.originalUrl ?? message.url ?? "/"
  // A proxy may send the whole URL.
  const { pathname = "/", search = "" } = target.startsWith("/") ? {} : (URL.parse(target) ?? {})
  const path = target.startsWith("/") ? target : pathname + search
  return RequestedUrl.make(
    isSecure ? "https:" : "http:",
    message.headers["host"] ?? message.headers[":authority"],
    path
  )
}

const requestInit = (message: NodeRequest): RequestInit & { readonly duplex?: "half" } => {
  const { method = "GET" } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(message.headers)) {
    if (!name.startsWith(":")) for (const value of [values].flat()) headers.append(name, value)
  }
  if (method === "GET" || method === "HEAD") return { method, headers }
  if (!message.readableDidRead) return { method, headers, body: streamOf(message), duplex: "half" }
  headers.delete("content-length")
  const body = parsedBody(message.body, headers.get("content-type") ?? "")
  return { method, headers, ...(body !== undefined && { body }) }
}

/** Returns the body that a parser of the host has read. */
const parsedBody = (body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> | undefined => {
  if (body === undefined || typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (/\bjson\b/i.test(contentType)) return JSON.stringify(body)
  throw new Error("The body was read before. Mount this handler before parsers of request bodies")
}

/** Returns the body as a stream. Only reads of the stream read the message, so the next handler may read the body instead. */
const streamOf = (message: NodeRequest): ReadableStream<Uint8Array> => {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream(
    {
      pull: async (controller) => {
        chunks ??= message[Symbol.asyncIterator]()
        const chunk = await chunks.next()
        if (chunk.done === true) controller.close()
        else controller.enqueue(chunk.value)
      }
    },
    { highWaterMark: 0 }
  )
}

const send = async (result: Response, response: NodeResponse, isHead: boolean): Promise<void> => {
  response.writeHead(result.status, [...result.headers].flat())
  const reader = result.body?.getReader()
  if (isHead) await reader?.cancel()
  else if (reader !== undefined) await pipe(reader, response)
  response.end()
}

/** Sends a body no faster than the client reads it. Cancels it if the client disconnects. */
const pipe = async (reader: ReadableStreamDefaultReader<Uint8Array>, response: NodeResponse): Promise<void> => {
  let resume = () => {}
  response.on("drain", () => resume())
  response.on("close", () => {
    void reader.cancel().catch(() => {})
    resume()
  })
  while (!response.destroyed) {
    const { done, value } = await reader.read()
    if (done) return
    if (!response.destroyed && !response.write(value)) await new Promise<void>((resolve) => (resume = resolve))
  }
  // The client may have disconnected before the response started.
  await reader.cancel()
}
