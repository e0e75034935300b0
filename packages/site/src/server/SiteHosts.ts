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
const isLocalOrAddress = (hostname: string): boolean => isLoopback(hostname) || /^(?:[\d.]+|\[.*\])$/.test(hostname)

export interface Addresses {
  /** URL of the interface, without a trailing slash. */
  readonly publicUrl: string
  /** Base URL of sites (see `SitesUrl`). If undefined, only sites with a hostname of their own are served. */
  readonly sitesUrl: string | undefined
}

/** Path of files that pages load and that belong to no site. */
const assetsPath = "/~lectern/"

export interface RequestTarget {
  /** Host in lower case. */
  readonly host: string | undefined
  /** Scheme, if known. */
  readonly protocol: "http:" | "https:" | undefined
  /** Path and query. */
  readonly url: string
}

/** `maybe`: belongs to a site if a site has this host, otherwise to the interface. */
export type Destination = { readonly type: "site" | "maybe"; readonly url: URL } | { readonly type: "interface" }

const interfaceDestination = { type: "interface" } as const

const splitHost = (host: string) => {
  const portStart = /:\d*$/.exec(host)?.index ?? host.length
  return { hostname: host.slice(0, portStart), port: host.slice(portStart + 1) }
}

/**
 * Characters that end a host in a URL. With one of them, the parsed URL would have a different path than the request.
 */
const hostTerminators = /[\s/?#\\@]/

const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80")

/** Returns the end of a sentence that explains why a base URL of sites is invalid; undefined if it is valid. */
export const configurationError = ({ publicUrl, sitesUrl }: Addresses): string | undefined => {
  if (sitesUrl === undefined) return undefined
  const interfaceUrl = new URL(publicUrl)
  const parsedSitesUrl = new URL(sitesUrl)
  const { hostname } = interfaceUrl
  if (parsedSitesUrl.hostname.includes("*")) {
    if (!/^\*(\.[^*.]+)+$/.test(parsedSitesUrl.hostname) || parsedSitesUrl.pathname !== "/")
      return "may have * as the first name of its host alone, and no path then: https://*.docs.example.com"
    const containsInterface = hostname.endsWith(parsedSitesUrl.hostname.slice(1))
    return containsInterface ? `needs hostnames of its own: ${hostname} is the interface's` : undefined
  }
  if (isLoopback(hostname) && isLoopback(parsedSitesUrl.hostname)) {
    const isShared = portOf(interfaceUrl) === portOf(parsedSitesUrl) && parsedSitesUrl.pathname === "/"
    return isShared
      ? `needs a path, such as ${parsedSitesUrl.origin}/sites: the interface is at ${parsedSitesUrl.host} itself`
      : undefined
  }
  return parsedSitesUrl.hostname === hostname
    ? `needs a hostname of its own: ${hostname} is the interface's`
    : undefined
}

export const make = ({ publicUrl, sitesUrl }: Addresses): ((target: RequestTarget) => Destination) => {
  const interfaceUrl = new URL(publicUrl)
  const sitesRoot = sitesUrl === undefined ? undefined : new URL(sitesUrl)
  const basePath = sitesRoot?.pathname.replace(/\/$/, "") ?? ""
  const wildcardSuffix = sitesRoot?.hostname.startsWith("*.") === true ? sitesRoot.host.slice(1) : undefined
  const isShared = sitesRoot !== undefined && isLoopback(sitesRoot.hostname) && wildcardSuffix === undefined

  const siteDestination = (origin: string, url: string): Destination => {
    const parsedUrl = URL.parse(`${origin}${url.startsWith("/") ? url : `/${url}`}`)
    return parsedUrl === null ? interfaceDestination : { type: "site", url: parsedUrl }
  }

  return ({ host, protocol, url }) => {
    if (host === undefined || hostTerminators.test(host)) return interfaceDestination
    if (sitesRoot !== undefined) {
      if (isShared) {
        const { hostname, port } = splitHost(host)
        if (isLoopback(hostname) && (port || (protocol === "https:" ? "443" : "80")) === portOf(sitesRoot)) {
          return url.startsWith(`${basePath}/`) ||
            url === basePath ||
            url.startsWith(`${basePath}?`) ||
            url.startsWith(assetsPath)
            ? siteDestination(sitesRoot.origin, url)
            : interfaceDestination
        }
      } else if (wildcardSuffix === undefined) {
        if (host === sitesRoot.host) return siteDestination(sitesRoot.origin, url)
      } else if (host !== interfaceUrl.host && host.length > wildcardSuffix.length && host.endsWith(wildcardSuffix)) {
        return siteDestination(`${sitesRoot.protocol}//${host}`, url)
      }
    }
    if (host === interfaceUrl.host || isLocalOrAddress(splitHost(host).hostname)) return interfaceDestination
    // Default: HTTPS, since a certificate for the host is at a proxy in front of the server. A proxy without TLS states
    // its scheme.
    const destination = siteDestination(`${protocol ?? "https:"}//${host}`, url)
    return destination.type === "site" ? { type: "maybe", url: destination.url } : destination
  }
}
