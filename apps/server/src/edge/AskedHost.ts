/**
 * The host and the scheme that a reader asked by, behind the proxies that the operator trusts: `X-Forwarded-Host` and
 * `X-Forwarded-Proto`, or `host` and `proto` of `Forwarded` where the operator chose that (see `ClientAddress`). A
 * header of anybody else says nothing. Of a list counts what the proxy wrote that is the farthest of those trusted.
 */
import { elementsOf, type TrustedProxies, trustedHops } from "./ClientAddress.ts"

export interface AskedHost {
  /** In lower case, with a port that is not the scheme's; undefined where no header tells it. */
  readonly host: string | undefined
  readonly protocol: "http:" | "https:" | undefined
}

interface Headers {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}

const textOf = (value: Headers[string]): string | undefined => (typeof value === "string" ? value : value?.[0])

const hostName = /^(?:[a-z\d._~-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/

/** A host as far as it can be meant. */
const hostOf = (text: string | undefined): string | undefined => {
  const host = text?.trim().toLowerCase()
  return host !== undefined && hostName.test(host) ? host : undefined
}

const protocolOf = (text: string | undefined): AskedHost["protocol"] => {
  const name = text?.trim().toLowerCase()
  return name === "http" || name === "https" ? `${name}:` : undefined
}

/** The value of the proxy so many hops away: each writes behind those that are there, or in their place. */
const ofHop = (values: ReadonlyArray<string>, hop: number): string | undefined =>
  values[Math.min(hop, values.length - 1)]

const fieldOf = (element: string | undefined, name: string): string | undefined =>
  element === undefined ? undefined : new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*"?([^";]*)`, "i").exec(element)?.[1]

/** Host and scheme as trusted proxies tell them; nothing of a peer that is none. */
export const forwarded = (trusted: TrustedProxies, peer: string | undefined, headers: Headers): AskedHost => {
  const nothing = { host: undefined, protocol: undefined }
  const texts = {
    address: textOf(headers[trusted.header]),
    host: textOf(headers["x-forwarded-host"]),
    protocol: textOf(headers["x-forwarded-proto"])
  }
  const isTold = trusted.header === "forwarded" ? texts.address : (texts.host ?? texts.protocol)
  if (isTold === undefined) return nothing
  const hops = trustedHops(trusted, peer, texts.address)
  if (hops === undefined) return nothing
  if (trusted.header === "forwarded") {
    const element = ofHop(elementsOf(texts.address!), hops)
    return { host: hostOf(fieldOf(element, "host")), protocol: protocolOf(fieldOf(element, "proto")) }
  }
  const listed = (text: string | undefined) => (text === undefined ? [] : text.split(",").reverse())
  return { host: hostOf(ofHop(listed(texts.host), hops)), protocol: protocolOf(ofHop(listed(texts.protocol), hops)) }
}
