/**
 * Determines the address of a client from a forwarding header of trusted proxies. Each proxy appends the address of its
 * peer to the list, so the list is read from its end up to the first address that is not a trusted proxy. Headers of
 * untrusted peers are ignored.
 *
 * A peer on a Unix socket counts as a trusted proxy: the mode of the socket restricts access.
 */
import { type AddressRanges, addressOf } from "@lectern/core/fetch/Addresses"

/** Supported headers with client addresses. A proxy that sets one passes the other on unchanged, so only one is read. */
export const forwardedHeaders = ["x-forwarded-for", "forwarded"] as const

export interface TrustedProxies {
  readonly proxies: AddressRanges
  readonly header: (typeof forwardedHeaders)[number]
}

/** Removes the port from `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1")

/** Returns the parameter `for` of an element of a `Forwarded` header (RFC 7239). */
const forOf = (element: string): string => /(?:^|;)\s*for\s*=\s*"?([^";]*)/i.exec(element)?.[1] ?? ""

/**
 * Returns the elements of a `Forwarded` header, last first. Commas in quotes do not separate elements. The header is
 * read from its end, so that an unclosed quote of a client does not hide elements that a proxy appended.
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

/** Returns the addresses in a header, nearest hop first. */
const hopsOf = (name: TrustedProxies["header"], value: string): ReadonlyArray<string> =>
  name === "forwarded" ? elementsOf(value).map(forOf) : value.split(",").reverse()

/** Returns the address of the client, or of the nearest hop that is not a trusted proxy. Undefined if unknown. */
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
    const previousAddress = addressOf(withoutPort(hop.trim()))
    if (previousAddress === undefined) break
    client = previousAddress
    if (!isTrusted(client)) break
  }
  return client
}

/** Returns the number of trusted proxies before the peer, or undefined if the peer is not a trusted proxy. */
export const trustedHops = (
  { proxies, header }: TrustedProxies,
  peer: string | undefined,
  value: string | undefined
): number | undefined => {
  const isTrusted = (address: string | undefined) => address === undefined || proxies.has(address)
  if (!isTrusted(peer)) return undefined
  let hops = 0
  for (const hop of value === undefined ? [] : hopsOf(header, value)) {
    const previousAddress = addressOf(withoutPort(hop.trim()))
    if (previousAddress === undefined || !isTrusted(previousAddress)) break
    hops++
  }
  return hops
}
