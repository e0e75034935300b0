/**
 * A loopback server through which the program `git` fetches, so that it connects to nothing else. `GitConnections`
 * forwards each request, with the rules and the credentials. The server's path is a secret, and it serves only the two
 * requests of a fetch.
 *
 * Limits: 32 MiB per request of the program, and `maxBytes` for all responses together.
 */
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type GitConnections, tooLarge } from "./GitHttp.ts"
import { GitProblem } from "./GitProblem.ts"

const maxRequestBytes = 32 * 1024 * 1024
const forwardedHeaders = ["accept", "content-type", "content-encoding", "git-protocol"]
/** Content type of the response, by allowed request. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ["GET /info/refs?service=git-upload-pack", "application/x-git-upload-pack-advertisement"],
  ["POST /git-upload-pack", "application/x-git-upload-pack-result"]
])

export class GitProxy {
  readonly #connections: GitConnections
  readonly #maxBytes: number
  readonly #path = `/${randomBytes(24).toString("hex")}`
  readonly #server = createServer((request, response) => {
    response.on("error", () => {})
    this.#forward(request, response).catch((error: unknown) => {
      this.#problem ??= error
      response.destroy()
    })
  })
  #bytes = 0
  #openRequests = 0
  #lastActive = performance.now()
  #problem: unknown
  #status: number | undefined

  constructor(connections: GitConnections, maxBytes: number) {
    this.#connections = connections
    this.#maxBytes = maxBytes
  }

  /** Starts the server, and returns the URL that stands for the repository. */
  async listen(): Promise<string> {
    await new Promise<void>((listening, fail) => {
      this.#server.on("error", fail)
      this.#server.listen(0, "127.0.0.1", listening)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`
  }

  /** First failure of a forwarded request: an error, or the status of a response. */
  get failure(): { readonly error: unknown } | { readonly status: number } | undefined {
    if (this.#problem !== undefined) return { error: this.#problem }
    return this.#status === undefined ? undefined : { status: this.#status }
  }

  /** Milliseconds since the last request ended. 0 while a request is open. */
  get idleFor(): number {
    return this.#openRequests > 0 ? 0 : performance.now() - this.#lastActive
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request
    const path = url.startsWith(`${this.#path}/`) ? url.slice(this.#path.length) : ""
    const type = contentTypes.get(`${method} ${path}`)
    if (type === undefined) {
      response.writeHead(404).end()
      return
    }
    this.#openRequests++
    response.on("close", () => {
      this.#openRequests--
      this.#lastActive = performance.now()
    })
    const body = method === "POST" ? await bodyOf(request) : undefined
    const headers: Record<string, string> = {}
    for (const name of forwardedHeaders) {
      const value = request.headers[name]
      if (typeof value === "string") headers[name] = value
    }
    const {
      response: upstream,
      url: { host: hostname }
    } = await this.#connections({ pathInRepository: path, method, headers, body })
    const { statusCode = 502 } = upstream
    if (statusCode !== 200) this.#status ??= statusCode
    const { "content-type": contentType, "content-encoding": encoding = "identity" } = upstream.headers
    if (statusCode === 200 && (contentType !== type || encoding !== "identity")) {
      upstream.destroy()
      throw new GitProblem("failed", `${hostname} did not respond as a Git repository (git fetch, ContentType)`)
    }
    response.writeHead(statusCode, { "content-type": type })
    try {
      for await (const chunk of upstream as AsyncIterable<Uint8Array>) {
        this.#bytes += chunk.byteLength
        if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes)
        if (!response.write(chunk)) await whenDrained(response)
      }
      if (!upstream.complete) throw new GitProblem("failed", "The connection closed before the response was complete")
      response.end()
    } finally {
      upstream.destroy()
    }
  }
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxRequestBytes) throw new GitProblem("too-large", "The branch exceeds the maximum number of files")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Resolves when more can be written. Fails if the response is closed first. */
const whenDrained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve, fail) => {
    const onDrain = () => {
      response.off("drain", onDrain).off("close", onClose)
      resolve()
    }
    const onClose = () => {
      response.off("drain", onDrain)
      fail(new GitProblem("failed", "The program git ended before the response was complete"))
    }
    response.once("drain", onDrain).once("close", onClose)
  })
