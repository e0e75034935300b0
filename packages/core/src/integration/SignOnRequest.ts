/** Request of a visitor who is to sign on or off through an integration. */
import type { IntegrationPayload } from "./IntegrationEvent.ts"

/** Parameters of the query that an integration is told: an identity provider's invitation of somebody. */
export const signOnParams = ["invitation", "organization"] as const

type Asked = Omit<
  Extract<IntegrationPayload, { readonly type: "fetch_visitor_authentication" }>,
  "type" | "installationId" | "siteId"
>

const anySite = "https://site.invalid/"

/**
 * A place on the site, as its path without the first slash: integrations put it behind the URL of the site,
 * or resolve it against that. What would lead anywhere else is the root.
 */
const locationOf = (text: string): string => {
  const url = URL.parse(text.replace(/^[\\/\s]+/, ""), anySite)
  return url?.origin === new URL(anySite).origin ? url.href.slice(anySite.length).replace(/^\/+/, "") : ""
}

const cookiesOf = (header: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    header.split(";").flatMap((cookie) => {
      const at = cookie.indexOf("=")
      const name = cookie.slice(0, Math.max(0, at)).trimStart()
      return name === "" || /\s/.test(name) ? [] : [[name, cookie.slice(at + 1).trim()]]
    })
  )

/** A request to sign on, or off, as an integration is told of it. `cookies`: the header. */
export const signOnRequest = (query: URLSearchParams, cookies: string, isLogout: boolean): Asked => {
  const location = query.get("location")
  return {
    ...(location !== null && { location: locationOf(location) }),
    searchParams: Object.fromEntries(
      signOnParams.flatMap((name) => {
        const value = query.get(name)
        return value === null ? [] : [[name, value]]
      })
    ),
    cookies: cookiesOf(cookies),
    ...(isLogout && { action: "logout" as const })
  }
}
