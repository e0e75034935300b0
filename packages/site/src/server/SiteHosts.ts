/**
 * Tells requests for a site from those for the interface, by their host and path. A site never shares a hostname with
 * the interface, or its pages could act there as who is signed on; on this machine alone, where nobody else is, both
 * are at the same host, by whichever of its names, and sites below a path.
 */

/** A name of this machine for itself. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** An address, or a name of this machine: nobody publishes a site at one. */
const isMachine = (hostname: string): boolean => isLoopback(hostname) || /^(?:[\d.]+|\[.*\])$/.test(hostname)

export interface Addresses {
  /** URL of the interface, without a slash at the end. */
  readonly publicUrl: string
  /** URL that sites are below (see `SitesUrl`); undefined: only those with a hostname of their own are served. */
  readonly sitesUrl: string | undefined
}

/** The path of files that pages load which are of no site. */
const ownPath = "/~lectern/"

export interface Asked {
  /** In lower case. */
  readonly host: string | undefined
  /** The scheme, where it is known. */
  readonly protocol: "http:" | "https:" | undefined
  /** Path and query. */
  readonly url: string
}

/** `maybe`: of a site if one has this host, else for the interface. */
export type Meant = { readonly type: "site" | "maybe"; readonly url: URL } | { readonly type: "interface" }

const toInterface = { type: "interface" } as const

const split = (host: string) => {
  const at = /:\d*$/.exec(host)?.index ?? host.length
  return { hostname: host.slice(0, at), port: host.slice(at + 1) }
}

/** Characters that end a host in a URL: behind them its path would be another than the one that is asked for. */
const endsHost = /[\s/?#\\@]/

const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80")

/** Ends a sentence about a URL of sites that can't be meant; undefined where it can. */
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
    // Nobody has a certificate for it but who stands in front, who would say so.
    const found = site(`${protocol ?? "https:"}//${host}`, url)
    return found.type === "site" ? { type: "maybe", url: found.url } : found
  }
}
