/**
 * Which addresses the whole internet can reach, and so a caller may have fetched. Everything else
 * (loopback, private and link-local networks, where clouds keep their metadata, networks of
 * carriers, tunnels that lead to any of them) is refused unless the operator has allowed it.
 */
import ipaddr from "ipaddr.js"

/** Addresses that are refused beside the registry's ranges: the metadata service of Azure has a public address. */
const refused = new Set(["168.63.129.16"])

/**
 * Ports of services that are no web servers, and could take what is asked for as their own language:
 * those that browsers ask nothing of either (the Fetch standard's bad ports).
 */
const refusedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])

type Address = ReturnType<typeof ipaddr.process>

/** An address as it is meant: IPv4 inside IPv6 is IPv4. Undefined for a name. */
const parse = (host: string): Address | undefined => {
  const text = host.replace(/^\[(.*)\]$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** Tells whether a host is an address and not a name. */
export const isAddress = (host: string): boolean => parse(host) !== undefined

const isGlobal = (address: Address): boolean =>
  address.range() === "unicast" &&
  !refused.has(address.toString()) &&
  // Of IPv6 only a part was ever given out: what is beside it belongs to nobody.
  (address.kind() === "ipv4" || address.match(ipaddr.parseCIDR("2000::/3") as never))

/** Tells whether everyone can reach this address. */
export const isPublic = (text: string): boolean => {
  const address = parse(text)
  return address !== undefined && isGlobal(address)
}

/** Names that mean this machine or its own network, wherever they are asked for. */
const isLocalName = (host: string): boolean => /(?:^|\.)(?:localhost|local|internal)$/.test(host)

type Range = readonly [Address, bits: number]

const rangeOf = (entry: string): Range | undefined => {
  const address = parse(entry)
  if (address !== undefined) return [address, address.kind() === "ipv4" ? 32 : 128]
  return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : undefined
}

const isIn = (address: Address, ranges: ReadonlyArray<Range>): boolean =>
  ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))

/** Tells whether a text is an address, or a range of them such as `10.0.0.0/8`. */
export const isRange = (text: string): boolean => rangeOf(text) !== undefined

/** An address as it is written shortest, IPv4 inside IPv6 as IPv4; undefined for what is none. */
export const addressOf = (text: string): string | undefined => parse(text)?.toString()

/**
 * Name by which limits count an address: of IPv6 its first 64 bits, since whoever has one has all that begin so. What
 * is no address is its own name.
 */
export const countedAs = (text: string): string => {
  const address = parse(text)
  if (address === undefined) return text
  if (address.kind() === "ipv4") return address.toString()
  const network = address.toByteArray().slice(0, 8)
  return ipaddr.fromByteArray([...network, ...network.map(() => 0)]).toString() + "/64"
}

/** Addresses and ranges of them; what is neither is none of them. */
export class AddressRanges {
  readonly #ranges: ReadonlyArray<Range>

  constructor(entries: ReadonlyArray<string>) {
    this.#ranges = entries.flatMap((entry) => {
      const range = rangeOf(entry)
      return range === undefined ? [] : [range]
    })
  }

  has(text: string): boolean {
    const address = parse(text)
    return address !== undefined && isIn(address, this.#ranges)
  }
}

/** Hosts that an operator allows: names, addresses, and ranges of addresses such as `10.0.0.0/8`. */
export class AllowedHosts {
  #entries: ReadonlyArray<string> = []
  readonly #names = new Set<string>()
  readonly #ranges: Array<Range> = []

  constructor(entries: ReadonlyArray<string> = []) {
    this.replace(entries)
  }

  /** Those that may change while they are in use, as they are; a list as one that doesn't. */
  static of(allowed: AllowedHosts | ReadonlyArray<string> = []): AllowedHosts {
    return allowed instanceof AllowedHosts ? allowed : new AllowedHosts(allowed)
  }

  /** As they were given. */
  get entries(): ReadonlyArray<string> {
    return this.#entries
  }

  /** Allows these from now on, and no others. */
  replace(entries: ReadonlyArray<string>): void {
    this.#entries = entries
    this.#names.clear()
    this.#ranges.length = 0
    for (const entry of entries) {
      const text = entry.trim().toLowerCase()
      const range = rangeOf(text)
      if (range !== undefined) this.#ranges.push(range)
      else if (text !== "") this.#names.add(text.replace(/\.$/, ""))
    }
  }

  /** Tells whether this name was listed: any address that it resolves to is then right. */
  hasName(host: string): boolean {
    return this.#names.has(nameOf(host))
  }

  /** Tells whether this address may be reached. */
  hasAddress(text: string): boolean {
    const address = parse(text)
    if (address === undefined) return false
    return isGlobal(address) || isIn(address, this.#ranges)
  }

  /** Why a URL can't be fetched, in a sentence; undefined where nothing in it speaks against it. */
  objection(url: URL): string | undefined {
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return "Expected a URL that begins with http:// or https://"
    if (url.username !== "" || url.password !== "") return "Expected a URL without a user name and password"
    const host = nameOf(url.hostname)
    if (host === "") return "Expected a URL with a host"
    if (this.hasName(host)) return undefined
    if (url.port !== "" && refusedPorts.has(Number(url.port))) {
      return `Port ${url.port} belongs to no web server, and this server does not fetch from it`
    }
    if (isAddress(host) ? !this.hasAddress(host) : isLocalName(host)) {
      return `${host.slice(0, 100)} is on a private network, which this server does not fetch from`
    }
    return undefined
  }
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, "")
