/**
 * Decides which addresses are public, so that callers may have them fetched. All others (loopback, private and
 * link-local networks with cloud metadata services, carrier networks, tunnels to any of them) are refused unless the
 * operator allows them.
 */
import ipaddr from "ipaddr.js"

/** Addresses that are refused in addition to reserved ranges: Azure's metadata service has a public address. */
const refused = new Set(["168.63.129.16"])

/**
 * Ports of services other than web servers, which might interpret a request as their own protocol: the bad ports of the
 * Fetch standard.
 */
const refusedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])

type Address = ReturnType<typeof ipaddr.process>

/** Parses an address. IPv4-mapped IPv6 becomes IPv4. Returns undefined for a host name. */
const parse = (host: string): Address | undefined => {
  const text = host.replace(/^\[(.*)\]$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** True if the host is an address, not a name. */
export const isAddress = (host: string): boolean => parse(host) !== undefined

const isGlobal = (address: Address): boolean =>
  address.range() === "unicast" &&
  !refused.has(address.toString()) &&
  // Only IPv6 addresses in this range are public, since no other range is allocated.
  (address.kind() === "ipv4" || address.match(ipaddr.parseCIDR("2000::/3") as never))

/** True if the address is publicly reachable. */
export const isPublic = (text: string): boolean => {
  const address = parse(text)
  return address !== undefined && isGlobal(address)
}

/** True for names that always refer to this machine or its network. */
const isLocalName = (host: string): boolean => /(?:^|\.)(?:localhost|local|internal)$/.test(host)

type Range = readonly [Address, bits: number]

const rangeOf = (entry: string): Range | undefined => {
  const address = parse(entry)
  if (address !== undefined) return [address, address.kind() === "ipv4" ? 32 : 128]
  return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : undefined
}

const isIn = (address: Address, ranges: ReadonlyArray<Range>): boolean =>
  ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))

/** True for an address or a range such as `10.0.0.0/8`. */
export const isRange = (text: string): boolean => rangeOf(text) !== undefined

/** Returns the canonical form of an address, with IPv4-mapped IPv6 as IPv4. Undefined if the text is not an address. */
export const addressOf = (text: string): string | undefined => parse(text)?.toString()

/**
 * Returns the key by which rate limits count an address: for IPv6 the first 64 bits, since a client usually has a whole
 * /64. Other text is its own key.
 */
export const rateLimitKey = (text: string): string => {
  const address = parse(text)
  if (address === undefined) return text
  if (address.kind() === "ipv4") return address.toString()
  const network = address.toByteArray().slice(0, 8)
  return ipaddr.fromByteArray([...network, ...network.map(() => 0)]).toString() + "/64"
}

/** Set of addresses and ranges. Invalid entries match nothing. */
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

/** Hosts that the operator allows: names, addresses, and ranges such as `10.0.0.0/8`. */
export class AllowedHosts {
  #entries: ReadonlyArray<string> = []
  readonly #names = new Set<string>()
  readonly #ranges: Array<Range> = []

  constructor(entries: ReadonlyArray<string> = []) {
    this.replace(entries)
  }

  /** Returns an existing instance unchanged, so that later changes take effect, or creates one from a list. */
  static from(allowed: AllowedHosts | ReadonlyArray<string> = []): AllowedHosts {
    return allowed instanceof AllowedHosts ? allowed : new AllowedHosts(allowed)
  }

  /** Entries as configured. */
  get entries(): ReadonlyArray<string> {
    return this.#entries
  }

  /** Replaces all entries. */
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

  /** True if the host name is allowed. Then all of its addresses are allowed. */
  hasName(host: string): boolean {
    return this.#names.has(nameOf(host))
  }

  /** True if the address is public or allowed. */
  hasAddress(text: string): boolean {
    const address = parse(text)
    if (address === undefined) return false
    return isGlobal(address) || isIn(address, this.#ranges)
  }

  /** True if the operator allows the host itself, by its name or by a range that contains its address. */
  hasPrivate(host: string): boolean {
    const address = parse(host)
    return this.hasName(host) || (address !== undefined && isIn(address, this.#ranges))
  }

  /** Returns why a URL must not be fetched, or undefined if it may. */
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
