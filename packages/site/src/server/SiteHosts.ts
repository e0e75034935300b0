/**
 * Distinguishes requests for a site from requests for the interface, by host and path. A site never shares a hostname
 * with the interface. Otherwise scripts of its pages could use the interface as the signed-in user.
 *
 * On a loopback host only local users exist. Both may then share a host, with sites below a path, under any of the
 * host's loopback names.
 */

/** Returns true for a loopback name of this machine. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** Returns true for an IP address or a loopback name. No site is published under such a name. */
const isMachine = (hostname: string): boolean => isLoopback(hostname) || /^(?:[\d.]+|\[.*\])$/.test(hostname)

export interface Addresses {
  /** URL of the interface, without a trailing slash. */
  readonly publicUrl: string
  /** Base URL of sites (see `SitesUrl`). If undefined, only sites with a hostname of their own are served. */
  readonly sitesUrl: string | undefined
}

/** Path of files that pages load and that belong to no site. */
const ownPath = "/~lectern/"

export interface Asked {
  /** Host in lower case. */
  readonly host: string | undefined
  /** Scheme, if known. */
  readonly protocol: "http:" | "https:" | undefined
  /** Path and query. */
  readonly url: string
}

/** `maybe`: belongs to a site if a site has this host, otherwise to the interface. */
export type Meant = { readonly type: "site" | "maybe"; readonly url: URL } | { readonly type: "interface" }

const toInterface = { type: "interface" } as const

const split = (host: string) => {
  const at = /:\d*$/.exec(host)?.index ?? host.length
  return { hostname: host.slice(0, at), port: host.slice(at + 1) }
}

/**
 * Characters that end a host in a URL. With one of them, the parsed URL would have a different path than the request.
 */
const endsHost = /[\s/?#\\@]/

const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80")

/** Returns the end of a sentence that explains why a base URL of sites is invalid; undefined if it is valid. */
export const refusal = ({ publicUrl, sitesUrl }: Addresses): string | undefined => {
  if (sitesUrl === undefined) return undefined
  const own = new URL(publicUrl)
  const sites = new URL(sitesUrl)
  const { hostname } = own
  if (sites.hostname.includes("*")) {
    if (!/^\*(\.[^*.]+)+$/.test(sites.hostname) || sites.pathname !== "/")
      return "may have * as the first name of its host alone, and no path then: https://*.docs.example.com"
    const takesIn = hostname.endsWith(sites.hostname.slice(1))
    return takesIn ? `needs hostnames of its own: ${hostname} is the interface's` : undefined
  }
  if (isLoopback(hostname) && isLoopback(sites.hostname)) {
    const isShared = portOf(own) === portOf(sites) && sites.pathname === "/"
    return isShared
      ? `needs a path, such as ${sites.origin}/sites: the interface is at ${sites.host} itself`
      : undefined
  }
  return sites.hostname === hostname ? `needs a hostname of its own: ${hostname} is the interface's` : undefined
}

export const make = ({ publicUrl, sitesUrl }: Addresses): ((asked: Asked) => Meant) => {
  const own = new URL(publicUrl)
  const root = sitesUrl === undefined ? undefined : new URL(sitesUrl)
  const below = root?.pathname.replace(/\/$/, "") ?? ""
  const ending = root?.hostname.startsWith("*.") === true ? root.host.slice(1) : undefined
  const isShared = root !== undefined && isLoopback(root.hostname) && ending === undefined

  const site = (origin: string, url: string): Meant => {
    const parsed = URL.parse(`${origin}${url.startsWith("/") ? url : `/${url}`}`)
    return parsed === null ? toInterface : { type: "site", url: parsed }
  }

  return ({ host, protocol, url }) => {
    if (host === undefined || endsHost.test(host)) return toInterface
    if (root !== undefined) {
      if (isShared) {
        const { hostname, port } = split(host)
        if (isLoopback(hostname) && (port || (protocol === "https:" ? "443" : "80")) === portOf(root)) {
          return url.startsWith(`${below}/`) || url === below || url.startsWith(`${below}?`) || url.startsWith(ownPath)
            ? site(root.origin, url)
            : toInterface
        }
      } else if (ending === undefined) {
        if (host === root.host) return site(root.origin, url)
      } else if (host !== own.host && host.length > ending.length && host.endsWith(ending)) {
        return site(`${root.protocol}//${host}`, url)
      }
    }
    if (host === own.host || isMachine(split(host).hostname)) return toInterface
    // Default: HTTPS, since a certificate for the host is at a proxy in front of the server. A proxy without TLS states
    // its scheme.
    const found = site(`${protocol ?? "https:"}//${host}`, url)
    return found.type === "site" ? { type: "maybe", url: found.url } : found
  }
}
