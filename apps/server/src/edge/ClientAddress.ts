/**
 * The address of whoever asks, behind the proxies that the operator trusts: what a header says counts as far as
 * trusted proxies wrote it. Each writes the address that asked it behind those that are there, so the list is
 * read from its end, up to the first that is no trusted proxy. A header of anybody else says nothing.
 *
 * Whoever comes by a Unix socket is a proxy, and trusted: who may open the socket, its mode says.
 */
import { type AddressRanges, addressOf } from "@lectern/core/fetch/Addresses"
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Headers that may tell where a request comes from. Proxies that write one pass the other on as it came. */
export const forwardedHeaders = ["x-forwarded-for", "forwarded"] as const

export interface TrustedProxies {
  readonly proxies: AddressRanges
  readonly header: (typeof forwardedHeaders)[number]
}

/** Without a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1")

/** `for` of an element of a header `Forwarded` (RFC 7239). */
const forOf = (element: string): string => /(?:^|;)\s*for\s*=\s*"?([^";]*)/i.exec(element)?.[1] ?? ""

/**
 * Elements of a header `Forwarded`, the last first: commas in quotes part nothing. It is read from its end, as a
 * quote that a client left open must not hide what a proxy wrote behind it.
 */
export const elementsOf = (header: string): ReadonlyArray<string> => {
  const elements: Array<string> = []
  let isQuoted = false
  let end = header.length
  for (let i = header.length - 1; i >= 0; i--) {
    if (header[i] === '"') isQuoted = !isQuoted
    else if (header[i] === "," && !isQuoted) {
      elements.push(header.slice(i + 1, end))
      end = i
    }
  }
  return [...elements, header.slice(0, end)]
}

/** Addresses that the header tells, the nearest first. */
const hopsOf = (name: TrustedProxies["header"], value: string): ReadonlyArray<string> =>
  name === "forwarded" ? elementsOf(value).map(forOf) : value.split(",").reverse()

/** The address of the client, as far as it is known; undefined where nobody says it. */
export const clientAddress = (
  { proxies, header }: TrustedProxies,
  peer: string | undefined,
  headers: { readonly [name: string]: string | undefined }
): string | undefined => {
  const isTrusted = (address: string | undefined) => address === undefined || proxies.has(address)
  const value = headers[header]
  if (value === undefined || !isTrusted(peer)) return peer
  let client = peer
  for (const hop of hopsOf(header, value)) {
    const before = addressOf(withoutPort(hop.trim()))
    if (before === undefined) break
    client = before
    if (!isTrusted(client)) break
  }
  return client
}

/**
 * How many proxies stand between the one that asks us and the last that is trusted; undefined where whoever asks us
 * is none.
 */
export const trustedHops = (
  { proxies, header }: TrustedProxies,
  peer: string | undefined,
  value: string | undefined
): number | undefined => {
  const isTrusted = (address: string | undefined) => address === undefined || proxies.has(address)
  if (!isTrusted(peer)) return undefined
  let hops = 0
  for (const hop of value === undefined ? [] : hopsOf(header, value)) {
    const before = addressOf(withoutPort(hop.trim()))
    if (before === undefined || !isTrusted(before)) break
    hops++
  }
  return hops
}

/** The request as it came from its client. */
export const fromClient = (trusted: TrustedProxies, request: HttpServerRequest.HttpServerRequest) => {
  const peer = Option.getOrUndefined(request.remoteAddress)
  const client = clientAddress(trusted, peer, request.headers)
  return client === peer ? request : request.modify({ remoteAddress: Option.fromNullishOr(client) })
}
