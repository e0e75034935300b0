/**
 * The only way out of an integration: what its script fetches comes here. A request to the interface's
 * own address goes to where that listens; any other goes through the same guarded door as everything
 * that callers make the server fetch, so that nothing private can be reached.
 *
 * Limits: 50 requests for each event, which is known by a header of the entry; bodies of 20 MiB either way, 30 seconds each.
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

/** Address at which the interface listens on this machine: a port, or a Unix socket. */
export type InterfaceAddress = ({ readonly host: string; readonly port: number } | { readonly socketPath: string }) & {
  /** It speaks TLS, with a certificate for the names by which others reach it. */
  readonly isSecure?: boolean
}

export interface OutsideDoorOptions {
  /** The interface's URL as programs are told it, and the address at which its server listens. */
  readonly api?: { readonly url: string; readonly at: InterfaceAddress }
  /** Names, addresses and ranges that may be fetched from although they are private. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
}

const timeout = 30_000

/** Says why a request was refused by the rules of this door; nothing else sends it. */
export const refusedHeader = "x-lectern-refused"

/** Says that the interface was asked to change something; nothing else sends it. */
export const changedHeader = "x-lectern-changed"

/** Headers that are between two neighbours, and those that only say how this door was reached. */
const notPassedOn = new Set([
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
  changedHeader,
  runHeader
])

const passedOn = (raw: ReadonlyArray<string>) => {
  const headers: Array<string> = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!notPassedOn.has(raw[i]!.toLowerCase())) headers.push(raw[i]!, raw[i + 1]!)
  }
  return headers
}

/** A proxy writes it behind the addresses of those before it. This one knows no address of a program. */
const ownHop: ReadonlyMap<string, string> = new Map([
  ["x-forwarded-for", "unknown"],
  ["forwarded", "for=unknown"]
])

const ofProxiesAlone = new Set(["x-forwarded-host", "x-forwarded-proto"])

/**
 * Headers for the interface, which may trust the address that they come from as a proxy's: what a program says of
 * addresses stands before what this door says.
 */
const asFromProxy = (headers: ReadonlyArray<string>) => {
  const written: Array<string> = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const hop = ownHop.get(name.toLowerCase())
    if (!ofProxiesAlone.has(name.toLowerCase())) written.push(name, hop === undefined ? value : `${value}, ${hop}`)
  }
  return written
}

/** Ends a body that is longer than it may be. */
const bounded = () => {
  let left = maxResponseBytes
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      left -= chunk.byteLength
      if (left < 0) done(new Error("The body is too large"))
      else done(null, chunk)
    }
  })
}

export const open = (options: OutsideDoorOptions, allowance: Allowance): Server => {
  const allowed = AllowedHosts.of(options.allowedPrivateHosts)
  const own = options.api && { at: options.api.at, origin: new URL(options.api.url).origin }

  const ask = (url: URL, incoming: IncomingMessage): ClientRequest => {
    const headers = passedOn(incoming.rawHeaders)
    if (own !== undefined && url.origin === own.origin) {
      const { isSecure, ...at } = own.at
      const ask = isSecure === true ? requestSecurely : request
      return ask({
        ...at,
        // It is this machine, by none of the names in the certificate.
        ...(isSecure === true && { rejectUnauthorized: false }),
        path: url.pathname + url.search,
        method: incoming.method,
        headers: [...asFromProxy(headers), "host", url.host],
        timeout
      })
    }
    return guardedRequest(url, allowed, { method: incoming.method, headers: [...headers, "host", url.host], timeout })
  }

  const fail = (answer: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) => {
    if (answer.headersSent) return void answer.destroy()
    answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(message)
  }

  const refuse = (answer: ServerResponse, status: number, message: string) =>
    fail(answer, status, message, { [refusedHeader]: encodeURIComponent(message) })

  const passOn = (url: URL, isOwn: boolean, incoming: IncomingMessage, answer: ServerResponse) => {
    const outgoing = ask(url, incoming)
    outgoing.on("timeout", () => outgoing.destroy(new Error(`${url.host} did not answer in time`)))
    outgoing.on("error", (error) => {
      if (error instanceof FetchFailed) refuse(answer, 403, error.message)
      else fail(answer, 502, `${url.host} can't be reached: ${error.message}`)
    })
    const changes = isOwn && incoming.method !== "GET" && incoming.method !== "HEAD"
    outgoing.on("response", (response) => {
      const headers = passedOn(response.rawHeaders)
      if (changes) headers.push(changedHeader, "1")
      answer.writeHead(response.statusCode ?? 502, headers as unknown as Record<string, string>)
      pipeline(response, bounded(), answer, (error) => {
        if (error) answer.destroy()
      })
    })
    answer.on("close", () => outgoing.destroy())
    pipeline(incoming, bounded(), outgoing, (error) => {
      if (error) outgoing.destroy(error)
    })
  }

  return createServer({ requireHostHeader: false }, (incoming, answer) => {
    const url = URL.parse(incoming.url ?? "")
    if (url === null) return fail(answer, 400, "Expected a URL")
    const isOwn = own !== undefined && url.origin === own.origin
    const objection = isOwn ? undefined : allowed.objection(url)
    if (objection !== undefined) return refuse(answer, 403, objection)
    const run = incoming.headers[runHeader] as string | undefined
    const counted = (isAllowed: boolean | undefined) => {
      if (isAllowed === true) return passOn(url, isOwn, incoming, answer)
      refuse(answer, 429, `An integration makes at most ${maxSubrequests} requests for one event`)
    }
    const isAllowed = run === undefined ? undefined : allowance(run, url)
    // What this is made for is not known yet: the line that says so is read by then.
    if (isAllowed === undefined) setImmediate(() => counted(allowance(run, url)))
    else counted(isAllowed)
  })
}
