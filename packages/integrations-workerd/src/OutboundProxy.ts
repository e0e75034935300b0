/**
 * Proxy for all requests of an integration. Requests to the URL of the API go to the address at which the API listens.
 * All other requests pass the guard against private networks that applies to every fetch for a caller.
 *
 * Limits: 50 requests for each event (the entry names the event in a header), 20 MiB for a body in either direction,
 * and 30 seconds for a request.
 */
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse
} from "node:http"
import { request as requestSecurely } from "node:https"
import { pipeline, Transform } from "node:stream"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"
import { maxResponseBytes, maxSubrequests } from "@lectern/core/integration/IntegrationRuntime"
import { guardedRequest } from "@lectern/services-node/fetch/GuardedRequest"
import { type Allowance, runHeader } from "./ProgramRuns.ts"

/** Address at which the API listens on this machine: a port or a Unix socket. */
export type InterfaceAddress = ({ readonly host: string; readonly port: number } | { readonly socketPath: string }) & {
  /** True if the API uses TLS. Its certificate is for its public hostname. */
  readonly isSecure?: boolean
}

export interface ProxyOptions {
  /** URL of the API as programs know it, and the address at which its server listens. */
  readonly api?: { readonly url: string; readonly at: InterfaceAddress }
  /** Private host names, addresses and address ranges that integrations may reach. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
}

const timeout = 30_000

/** Response header with the reason why this proxy refused a request. */
export const refusedHeader = "x-lectern-refused"

/** Hop-by-hop headers, and headers for this proxy. They are not forwarded. */
const unforwardedHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  refusedHeader,
  runHeader
])

const forwardedHeaders = (raw: ReadonlyArray<string>) => {
  const headers: Array<string> = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!unforwardedHeaders.has(raw[i]!.toLowerCase())) headers.push(raw[i]!, raw[i + 1]!)
  }
  return headers
}

/** Values that this proxy appends to forwarding headers. The address of a program is unknown. */
const ownHop: ReadonlyMap<string, string> = new Map([
  ["x-forwarded-for", "unknown"],
  ["forwarded", "for=unknown"]
])

const proxyOnlyHeaders = new Set(["x-forwarded-host", "x-forwarded-proto"])

/**
 * Returns headers for the API, which may trust the address of this proxy. Forwarding headers of a program come before
 * the value of this proxy, so that the API does not trust them.
 */
const withOwnHop = (headers: ReadonlyArray<string>) => {
  const result: Array<string> = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const hop = ownHop.get(name.toLowerCase())
    if (!proxyOnlyHeaders.has(name.toLowerCase())) result.push(name, hop === undefined ? value : `${value}, ${hop}`)
  }
  return result
}

/** Returns a transform that fails if a body is larger than 20 MiB. */
const sizeLimiter = () => {
  let remainingBytes = maxResponseBytes
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      remainingBytes -= chunk.byteLength
      if (remainingBytes < 0) done(new Error("The body is too large"))
      else done(null, chunk)
    }
  })
}

export const open = (options: ProxyOptions, allowance: Allowance): Server => {
  const allowedHosts = AllowedHosts.from(options.allowedPrivateHosts)
  const ownApi = options.api && { at: options.api.at, origin: new URL(options.api.url).origin }

  const requestFunction = (url: URL, incoming: IncomingMessage): ClientRequest => {
    const headers = forwardedHeaders(incoming.rawHeaders)
    if (ownApi !== undefined && url.origin === ownApi.origin) {
      const { isSecure, ...at } = ownApi.at
      const sendRequest = isSecure === true ? requestSecurely : request
      return sendRequest({
        ...at,
        // The certificate has no name for this machine, so it is not verified.
        ...(isSecure === true && { rejectUnauthorized: false }),
        path: url.pathname + url.search,
        method: incoming.method,
        headers: [...withOwnHop(headers), "host", url.host],
        timeout
      })
    }
    return guardedRequest(url, allowedHosts, {
      method: incoming.method,
      headers: [...headers, "host", url.host],
      timeout
    })
  }

  const fail = (
    clientResponse: ServerResponse,
    status: number,
    message: string,
    headers: Record<string, string> = {}
  ) => {
    if (clientResponse.headersSent) return void clientResponse.destroy()
    clientResponse.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(message)
  }

  const refuse = (clientResponse: ServerResponse, status: number, message: string) =>
    fail(clientResponse, status, message, { [refusedHeader]: encodeURIComponent(message) })

  const forward = (url: URL, incoming: IncomingMessage, clientResponse: ServerResponse) => {
    const outgoingRequest = requestFunction(url, incoming)
    outgoingRequest.on("timeout", () => outgoingRequest.destroy(new Error(`${url.host} did not respond in time`)))
    outgoingRequest.on("error", (error) => {
      if (error instanceof FetchFailed) refuse(clientResponse, 403, error.message)
      else fail(clientResponse, 502, `${url.host} can't be reached: ${error.message}`)
    })
    outgoingRequest.on("response", (response) => {
      const headers = forwardedHeaders(response.rawHeaders)
      clientResponse.writeHead(response.statusCode ?? 502, headers as unknown as Record<string, string>)
      pipeline(response, sizeLimiter(), clientResponse, (error) => {
        if (error) clientResponse.destroy()
      })
    })
    clientResponse.on("close", () => outgoingRequest.destroy())
    pipeline(incoming, sizeLimiter(), outgoingRequest, (error) => {
      if (error) outgoingRequest.destroy(error)
    })
  }

  return createServer({ requireHostHeader: false }, (incoming, clientResponse) => {
    const url = URL.parse(incoming.url ?? "")
    if (url === null) return fail(clientResponse, 400, "Expected a URL")
    const isOwn = ownApi !== undefined && url.origin === ownApi.origin
    const objection = isOwn ? undefined : allowedHosts.objection(url)
    if (objection !== undefined) return refuse(clientResponse, 403, objection)
    const runId = incoming.headers[runHeader] as string | undefined
    const forwardIfAllowed = (isAllowed: boolean | undefined) => {
      if (isAllowed === true) return forward(url, incoming, clientResponse)
      refuse(clientResponse, 429, `An integration makes at most ${maxSubrequests} requests for one event`)
    }
    const isAllowed = runId === undefined ? undefined : allowance(runId, url)
    // The event of the request is unknown until the line of the entry about it was read.
    if (isAllowed === undefined) setImmediate(() => forwardIfAllowed(allowance(runId, url)))
    else forwardIfAllowed(isAllowed)
  })
}
