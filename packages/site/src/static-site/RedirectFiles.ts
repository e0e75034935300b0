/**
 * Redirects of a static site: a page for each, which works on every file server, and two lists for servers that read
 * them: `_redirects` for Netlify, Cloudflare Pages and others, and a map for nginx.
 */
import { html, trusted } from "../html/Html.ts"

export interface Redirect {
  /** Path of the URL, percent-encoded, without a trailing slash. */
  readonly from: string
  /** Path below the host, or URL of another host. */
  readonly to: string
}

/** Path of the list for nginx. */
export const nginxMap = "redirects.nginx.map"
/** Path of the list for Netlify and Cloudflare Pages. */
export const redirectList = "_redirects"

/**
 * Renders a page that redirects. A script keeps the query and the anchor. Without scripts, the page redirects too.
 * `canonical`: absolute URL of the target. Default: not stated.
 */
export const renderPage = (to: string, canonical: string | undefined): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>${to}</title><meta name="robots" content="noindex">${canonical !== undefined && html`<link rel="canonical" href="${canonical}">`}<script>${trusted(script(to))}</script><meta http-equiv="refresh" content="${`0; url=${to}`}"></head><body><p><a href="${to}">${to}</a></p></body></html>`
      .text
  }\n`

const script = (to: string): string =>
  `location.replace(${JSON.stringify(to).replaceAll("<", "\\u003c")}+location.search+${to.includes("#") ? '""' : "location.hash"})`

/** Escapes characters that are placeholders in the list. */
const listPath = (path: string): string => path.replaceAll("*", "%2A").replaceAll(":", "%3A")

export const renderList = (redirects: ReadonlyArray<Redirect>): string =>
  redirects.map(({ from, to }) => `${listPath(from)} ${to} 301\n`).join("")

/** Returns lines of a `map` of nginx, from `$uri` to the target, each with and without a trailing slash. */
export const renderNginxMap = (redirects: ReadonlyArray<Redirect>): string =>
  redirects
    .flatMap(({ from, to }) => {
      const uri = nginxText(decodeURI(from))
      return [uri, `${uri}/`].map((path) => `"${path}" "${nginxText(to).replaceAll("$", "%24")}";\n`)
    })
    .join("")

const nginxText = (text: string): string => text.replace(/["\\]/g, "\\$&")
