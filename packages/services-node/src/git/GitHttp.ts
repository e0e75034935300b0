/**
 * HTTP connections of the Git library, which follow the rules of `NodeFetch`. Only http and https are allowed. Every
 * address is checked when it is connected to, and private addresses need the operator's permission. Up to five
 * redirects are followed, each with the same checks. Response sizes are limited.
 *
 * Credentials are sent only to the origin that they belong to, and over http only to hosts that the operator lists. A
 * redirect of a GET request is followed and applies to later requests, as in Git; redirects of other requests are not
 * followed. A connection without activity for a minute is closed.
 *
 * `gitConnections` implements these rules, and `gitHttp` is the library's HTTP client that uses them.
 */
import type { IncomingMessage } from "node:http"
import { type AllowedHosts, isAddress, isPublic } from "@lectern/core/fetch/Addresses"
import { FetchFailed, maxRedirects } from "@lectern/core/fetch/GuardedFetch"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"
import type { GitHttpRequest, GitHttpResponse, HttpClient } from "isomorphic-git"
import { describeConnectionFailure } from "../fetch/ConnectionFailure.ts"
import { GitProblem } from "./GitProblem.ts"
import { guardedRequest } from "../fetch/GuardedRequest.ts"

export interface GitHttpOptions {
  readonly url: string
  readonly credentials: GitCredentials | undefined
  readonly allowed: AllowedHosts
}

export interface GitRequest {
  /** Part of the URL after the repository's URL. */
  readonly pathInRepository: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

export interface GitResponse {
  readonly url: URL
  readonly response: IncomingMessage
}

export type GitConnections = (request: GitRequest) => Promise<GitResponse>

const idleTimeout = 60_000

export const gitConnections = ({ url: repositoryUrl, credentials, allowed }: GitHttpOptions): GitConnections => {
  const start = new URL(repositoryUrl)
  const authorization =
    credentials === undefined
      ? undefined
      : `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`
  /** Current URL of the repository. Redirects change it. */
  let base = repositoryUrl

  const send = async (url: URL, method: string, headers: Record<string, string>, body: Buffer | undefined) => {
    const isOwn = url.origin === start.origin
    if (authorization !== undefined && isOwn && url.protocol === "http:" && !isAllowedHost(allowed, url)) {
      throw new GitProblem("refused", `Credentials are sent over https only, and the URL of ${url.host} uses http`)
    }
    return await connect(url, allowed, body, {
      method,
      headers: {
        ...headers,
        "user-agent": "git/2 (Lectern)",
        ...(authorization !== undefined && isOwn && { authorization }),
        ...(body !== undefined && { "content-length": String(body.length) })
      }
    })
  }

  return async ({ pathInRepository, method, headers, body }) => {
    let url = new URL(base + pathInRepository)
    for (let redirects = 0; ; redirects++) {
      const objection = allowed.objection(url)
      if (objection !== undefined) throw new GitProblem("refused", objection)
      const response = await send(url, method, headers, body)
      const { location } = response.headers
      if (method === "GET" && [301, 302, 303, 307, 308].includes(response.statusCode ?? 0) && location !== undefined) {
        response.destroy()
        if (redirects >= maxRedirects || !URL.canParse(location, url)) {
          throw new GitProblem("failed", `${start.host} redirects too often, or to an invalid URL`)
        }
        url = new URL(location, url)
        continue
      }
      if (redirects > 0) {
        if (!url.href.endsWith(pathInRepository))
          throw new GitProblem("failed", `${start.host} redirects to a URL that is not a repository`)
        base = url.href.slice(0, -pathInRepository.length)
      }
      return { url, response }
    }
  }
}

/** Returns the library's HTTP client. `repositoryUrl` is the URL of the repository. `maxBytes` limits one response. */
export const gitHttp = (connections: GitConnections, repositoryUrl: string, maxBytes: number): HttpClient => ({
  request: async ({
    url: requestUrl,
    method = "GET",
    headers = {},
    body
  }: GitHttpRequest): Promise<GitHttpResponse> => {
    const pathInRepository = requestUrl.slice(repositoryUrl.length)
    const bytes = body === undefined ? undefined : await collect(body)
    const { url, response } = await connections({ pathInRepository: pathInRepository, method, headers, body: bytes })
    const responseHeaders: Record<string, string> = {}
    for (const [name, value] of Object.entries(response.headers))
      if (typeof value === "string") responseHeaders[name] = value
    return {
      url: url.href,
      method,
      statusCode: response.statusCode ?? 0,
      statusMessage: response.statusMessage ?? "",
      headers: responseHeaders,
      body: iterate(withHead(await content(url, response, maxBytes), pathInRepository))
    }
  }
})

/**
 * Adds a `HEAD` with the first branch to a list of refs without `HEAD`. The library needs `HEAD` even to fetch another
 * branch.
 */
const withHead = (chunks: Array<Uint8Array>, pathInRepository: string): Array<Uint8Array> => {
  if (pathInRepository !== "/info/refs?service=git-upload-pack") return chunks
  const list = Buffer.concat(chunks)
  const refs = list.toString("latin1")
  const [, oid] = /([0-9a-f]{40}) refs\/heads\//.exec(refs) ?? []
  if (oid === undefined || !refs.endsWith("0000") || /[0-9a-f]{40} HEAD[\0\n]/.test(refs)) {
    return [list]
  }
  const line = `${oid} HEAD\n`
  const length = (line.length + 4).toString(16).padStart(4, "0")
  return [Buffer.from(`${refs.slice(0, -4)}${length}${line}0000`, "latin1")]
}

async function* iterate(chunks: Array<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** True if the operator lists the host. A private address that was allowed is always listed. */
const isAllowedHost = (allowed: AllowedHosts, { hostname }: URL): boolean =>
  isAddress(hostname) ? !isPublic(hostname) : allowed.hasName(hostname)

const collect = async (body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const connect = (
  url: URL,
  allowed: AllowedHosts,
  body: Buffer | undefined,
  options: { readonly method: string; readonly headers: Record<string, string> }
) =>
  new Promise<IncomingMessage>((resolve, fail) => {
    const request = guardedRequest(url, allowed, { ...options, timeout: idleTimeout })
    request.on("timeout", () => request.destroy(new GitProblem("timeout", `${url.host} stopped responding`)))
    request.on("response", resolve)
    request.on("error", (error) => fail(problemOf(url, error)))
    request.end(body)
  })

const content = async (url: URL, response: IncomingMessage, maxBytes: number): Promise<Array<Uint8Array>> => {
  const encoding = response.headers["content-encoding"] ?? "identity"
  const chunks: Array<Uint8Array> = []
  let size = 0
  try {
    if (encoding !== "identity") {
      throw new GitProblem("failed", `${url.host} compresses its responses without being asked to`)
    }
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
    if (!response.complete) throw new Error("The connection closed before the response was complete")
    return chunks
  } catch (error) {
    throw problemOf(url, error)
  } finally {
    response.destroy()
  }
}

export const tooLarge = (maxBytes: number): GitProblem =>
  new GitProblem("too-large", `The branch exceeds the limit of ${maxBytes / 1024 ** 2} MiB`)

const problemOf = (url: URL, error: unknown): GitProblem => {
  if (error instanceof GitProblem) return error
  if (error instanceof FetchFailed) return new GitProblem("refused", error.message)
  return new GitProblem("failed", `${url.host} ${describeConnectionFailure(error)}`)
}
