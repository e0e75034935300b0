/** Request of a visitor to sign in or out through an integration. */
import type { IntegrationPayload } from "./IntegrationEvent.ts"

/** Query parameters of an identity provider's invitation, which are passed to the integration. */
export const signOnParams = ["invitation", "organization"] as const

type SignOnPayload = Omit<
  Extract<IntegrationPayload, { readonly type: "fetch_visitor_authentication" }>,
  "type" | "installationId" | "siteId"
>

const placeholderSite = "https://site.invalid/"

/**
 * Returns a path on the site without a leading slash, because integrations append it to the URL of the site or resolve
 * it against that URL. A URL of another origin becomes the root.
 */
const locationOf = (text: string): string => {
  const url = URL.parse(text.replace(/^[\\/\s]+/, ""), placeholderSite)
  return url?.origin === new URL(placeholderSite).origin
    ? url.href.slice(placeholderSite.length).replace(/^\/+/, "")
    : ""
}

const cookiesOf = (header: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    header.split(";").flatMap((cookie) => {
      const separator = cookie.indexOf("=")
      const name = cookie.slice(0, Math.max(0, separator)).trimStart()
      return name === "" || /\s/.test(name) ? [] : [[name, cookie.slice(separator + 1).trim()]]
    })
  )

/** Returns the event payload of a request to sign in or out. `cookies`: the value of the header. */
export const signOnRequest = (query: URLSearchParams, cookies: string, isLogout: boolean): SignOnPayload => {
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
