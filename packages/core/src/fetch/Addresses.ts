/**
 * Which addresses the whole internet can reach, and so a caller may have fetched. Everything else
 * (loopback, private and link-local networks, where clouds keep their metadata, networks of
 * carriers, tunnels that lead to any of them) is refused unless the operator has allowed it.
 */
import ipaddr from "ipaddr.js"

/** What the ranges of the registry don't tell: the metadata service of Azure has a public address. */
const refused = new Set(["168.63.129.16"])

type Address = ReturnType<typeof ipaddr.process>

/** An address as it is meant: IPv4 inside IPv6 is IPv4. Undefined for a name. */
const parse = (host: string): Address | undefined => {
  const text = host.replace(/^\[(.*)\]$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** Whether a host is an address and not a name. */
export const isAddress = (host: string): boolean => parse(host) !== undefined

const isGlobal = (address: Address): boolean =>
  address.range() === "unicast" &&
  !refused.has(address.toString()) &&
  // Of IPv6 only a part was ever given out: what is beside it belongs to nobody.
  (address.kind() === "ipv4" || address.match(ipaddr.parseCIDR("2000::/3") as never))

/** Whether everyone can reach this address. */
export const isPublic = (text: string): boolean => {
  const address = parse(text)
  return address !== undefined && isGlobal(address)
}

/** Names that mean this machine or its own network, wherever they are asked for. */
const isLocalName = (host: string): boolean => /(?:^|\.)(?:localhost|local|internal)$/.test(host)

/** What an operator allows: names, addresses, and ranges of addresses such as `10.0.0.0/8`. */
export class AllowedHosts {
  readonly #names = new Set<string>()
  readonly #ranges: Array<readonly [Address, number]> = []

  constructor(entries: ReadonlyArray<string> = []) {
    for (const entry of entries) {
      const text = entry.trim().toLowerCase()
      const address = parse(text)
      if (address !== undefined) this.#ranges.push([address, address.kind() === "ipv4" ? 32 : 128])
      else if (ipaddr.isValidCIDR(text)) this.#ranges.push(ipaddr.parseCIDR(text))
      else if (text !== "") this.#names.add(text.replace(/\.$/, ""))
    }
  }

  /** Whether this name was listed: wherever it resolves to then is right. */
  hasName(host: string): boolean {
    return this.#names.has(nameOf(host))
  }

  /** Whether this address may be reached. */
  hasAddress(text: string): boolean {
    const address = parse(text)
    if (address === undefined) return false
    return (
      isGlobal(address) ||
      this.#ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))
    )
  }

  /** Why a URL can't be fetched, in a sentence; undefined where nothing in it speaks against it. */
  objection(url: URL): string | undefined {
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return "Expected a URL that begins with http:// or https://"
    if (url.username !== "" || url.password !== "") return "Expected a URL without a user name and password"
    const host = nameOf(url.hostname)
    if (host === "") return "Expected a URL with a host"
    if (this.hasName(host)) return undefined
    if (isAddress(host) ? !this.hasAddress(host) : isLocalName(host)) {
      return `${host.slice(0, 100)} is on a private network, which this server does not fetch from`
    }
    return undefined
  }
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, "")
