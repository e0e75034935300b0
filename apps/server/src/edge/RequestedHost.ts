/**
 * Host and scheme of a request as its client sent it to the outermost trusted proxy: from `X-Forwarded-Host` and
 * `X-Forwarded-Proto`, or from `host` and `proto` of `Forwarded` if the operator chose that header (see
 * `ClientAddress`). Headers of untrusted peers are ignored. In a list, the value of the outermost trusted proxy counts.
 */
import { elementsOf, type TrustedProxies, trustedHops } from "./ClientAddress.ts"

export interface RequestedHost {
  /** Host in lower case, with its port unless that is the default of the scheme. Undefined without a trusted header. */
  readonly host: string | undefined
  readonly protocol: "http:" | "https:" | undefined
}

interface Headers {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}

const textOf = (value: Headers[string]): string | undefined => (typeof value === "string" ? value : value?.[0])

const hostName = /^(?:[a-z\d._~-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/

/** Returns a host in lower case, or undefined if the text is not a valid host. */
const hostOf = (text: string | undefined): string | undefined => {
  const host = text?.trim().toLowerCase()
  return host !== undefined && hostName.test(host) ? host : undefined
}

const protocolOf = (text: string | undefined): RequestedHost["protocol"] => {
  const name = text?.trim().toLowerCase()
  return name === "http" || name === "https" ? `${name}:` : undefined
}

/** Returns the value of the proxy at a distance of `hop`. A proxy appends its value to the list or replaces the list. */
const valueAtHop = (values: ReadonlyArray<string>, hop: number): string | undefined =>
  values[Math.min(hop, values.length - 1)]

const fieldOf = (element: string | undefined, name: string): string | undefined =>
  element === undefined ? undefined : new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*"?([^";]*)`, "i").exec(element)?.[1]

/** Returns host and scheme from the headers of trusted proxies. Both are undefined for any other peer. */
export const forwardedHost = (trusted: TrustedProxies, peer: string | undefined, headers: Headers): RequestedHost => {
  const unknownHost = { host: undefined, protocol: undefined }
  const texts = {
    address: textOf(headers[trusted.header]),
    host: textOf(headers["x-forwarded-host"]),
    protocol: textOf(headers["x-forwarded-proto"])
  }
  const headerText = trusted.header === "forwarded" ? texts.address : (texts.host ?? texts.protocol)
  if (headerText === undefined) return unknownHost
  const hops = trustedHops(trusted, peer, texts.address)
  if (hops === undefined) return unknownHost
  if (trusted.header === "forwarded") {
    const element = valueAtHop(elementsOf(texts.address!), hops)
    return { host: hostOf(fieldOf(element, "host")), protocol: protocolOf(fieldOf(element, "proto")) }
  }
  const reversedValues = (text: string | undefined) => (text === undefined ? [] : text.split(",").reverse())
  return {
    host: hostOf(valueAtHop(reversedValues(texts.host), hops)),
    protocol: protocolOf(valueAtHop(reversedValues(texts.protocol), hops))
  }
}
