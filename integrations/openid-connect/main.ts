/**
 * Signs on visitors of a site with an OpenID Connect identity provider: redirects them to the provider, and back to the
 * requested page with a visitor token of the site. Stores nothing.
 *
 * Limits: a sign-on is valid for 2 hours and is then renewed, without a prompt if the session at the provider still exists;
 * 20 claims.
 */
import { SignJWT } from "jose"
import { configurationScreen, configured } from "../runtime/ConfigurationScreen.ts"
import type { Fetched, VisitorAuthentication } from "../runtime/Event.ts"
import { type RequestContext, integration, Refused } from "../runtime/Integration.ts"
import { interfaceOf } from "../runtime/Interface.ts"
import * as Attempts from "./Attempts.ts"
import * as Provider from "./Provider.ts"

const tokenLifetime = "2 hours"
const maxClaims = 20
/** Maximum size of claims that a site accepts, in bytes. */
const maxClaimsSize = 2.5 * 1024
/** Maximum length of a token that a site accepts. */
const maxToken = 8 * 1024

const endpointOf = ({ environment }: RequestContext): URL => new URL(environment.siteInstallation!.urls.publicEndpoint)

const redirectUri = (context: RequestContext): string => `${endpointOf(context).href}/callback`

const words = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((word) => word !== "")

const settings = {
  of: "siteInstallation",
  intro: (context: RequestContext) =>
    `Make a client at your identity provider, for the code flow, with this address to come back to:\n\n\`${redirectUri(context)}\``,
  fields: [
    {
      name: "issuer",
      label: "Issuer",
      hint: "Where the provider is",
      placeholder: "https://id.example.com/realms/staff"
    },
    { name: "client", label: "Client ID", hint: "What the provider calls the client" },
    { name: "secret", label: "Client secret", hint: "None for a public client", isSecret: true },
    { name: "scope", label: "Scopes", hint: "Beside openid", placeholder: "profile email groups" },
    {
      name: "claims",
      label: "Claims",
      hint: "Which of the provider's claims the site is told",
      placeholder: "email groups"
    }
  ],
  problem: ({
    issuer,
    client,
    claims
  }: {
    readonly issuer: string
    readonly client: string
    readonly claims: string
  }) => {
    if (!Provider.isIssuer(issuer)) return "The issuer begins with https://"
    if (client === "") return "The client has an ID"
    return words(claims).length > maxClaims ? `At most ${maxClaims} claims` : undefined
  }
} as const

/** Returns the configured provider. Refuses the request if the configuration is incomplete. */
const providerOf = (context: RequestContext) => {
  const { issuer, client, secret, scope, claims } = configured(settings, context)
  if (!Provider.isIssuer(issuer) || client === "")
    throw new Refused("Signing on to this site is not configured yet", 503)
  return {
    provider: { issuer, clientId: client, clientSecret: secret, redirectUri: redirectUri(context) },
    scope: [...new Set(["openid", ...words(scope)])].join(" "),
    claims: words(claims).slice(0, maxClaims)
  }
}

/** Returns the URL of the site, with a trailing slash. */
const siteOf = async ({ environment }: RequestContext): Promise<string> => {
  const { installation, siteInstallation } = environment
  const path = `/orgs/${installation!.target.organization}/sites/${siteInstallation!.site}`
  const { urls } = await interfaceOf(environment)<{ readonly urls: { readonly published?: string } }>("GET", path)
  if (urls.published === undefined) throw new Refused("This site is not published", 404)
  return urls.published.replace(/\/?$/, "/")
}

/** Returns the URL of a page of the site, or the root of the site if the location is outside of it. */
const pageOf = (site: string, location: string): URL => {
  const url = URL.parse(site + location)
  return url?.href.startsWith(site) === true ? url : new URL(site)
}

const setting = (cookies: ReadonlyArray<string>) => cookies.map((cookie) => ["set-cookie", cookie] as [string, string])

const redirect = (to: URL, cookies: ReadonlyArray<string>): Response =>
  new Response(null, {
    status: 302,
    headers: [["location", to.href], ["cache-control", "no-store"], ...setting(cookies)]
  })

const page = (
  title: string,
  words: string,
  next: { readonly url: string; readonly label: string },
  { status = 200, cookies = [] }: { readonly status?: number; readonly cookies?: ReadonlyArray<string> } = {}
) => {
  const html = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
  const body = `<!doctype html><html lang="en" style="color-scheme: light dark"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${html(title)}</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>${html(title)}</h1><p>${html(words)}</p><p><a href="${html(next.url)}">${html(next.label)}</a></p>`
  return new Response(body, {
    status,
    headers: [["content-type", "text/html; charset=utf-8"], ["cache-control", "no-store"], ...setting(cookies)]
  })
}

/** Returns the page for a failed sign-on. `over`: failed attempt, whose cookie is removed. */
const signOnFailure = (context: RequestContext, reason: string, location = "", over?: Attempts.StoredAttempt) => {
  const url = new URL(`${endpointOf(context).href}/~/visitor-auth/login`)
  url.searchParams.set("location", location)
  return page(
    "You are not signed on",
    reason,
    { url: url.href, label: "Try again" },
    {
      status: 403,
      cookies: over === undefined ? [] : [Attempts.forget(over.state, endpointOf(context))]
    }
  )
}

/** Redirects a visitor to the provider, with the state of the attempt in a cookie. */
const signOn = async ({ location = "", cookies = {} }: VisitorAuthentication, context: RequestContext) => {
  const { provider, scope } = providerOf(context)
  const attempt = Provider.attempt()
  const url = await Provider.authorization(provider, attempt, scope).catch((error: unknown) => {
    console.error(`The provider can't be asked: ${Provider.reasonOf(error)}`)
    return undefined
  })
  if (url === undefined) return signOnFailure(context, "Your identity provider can't be reached.", location)
  const secret = context.environment.signingSecrets.siteInstallation!
  return redirect(url, await Attempts.keep(secret, { ...attempt, location }, endpointOf(context), cookies))
}

const signOff = async (context: RequestContext) => {
  const { provider } = providerOf(context)
  const site = await siteOf(context)
  const end = await Provider.endOfSession(provider, site).catch(() => undefined)
  if (end !== undefined) return Response.redirect(end.href)
  return page("You are signed off", "Your identity provider still knows you.", { url: site, label: "Sign on again" })
}

/** Completes a sign-on: validates the callback of the provider and redirects the visitor to the site with a token. */
const finishSignOn = async ({ request: { url, headers } }: Fetched, context: RequestContext) => {
  const callback = new URL(url)
  const secret = context.environment.signingSecrets.siteInstallation!
  const state = callback.searchParams.get("state") ?? ""
  const storedAttempt = await Attempts.find(secret, state, headers["cookie"] ?? "")
  if (storedAttempt === undefined)
    return signOnFailure(context, "This was begun in another browser, or more than 10 minutes ago.")
  const { provider, claims } = providerOf(context)
  let idClaims: { readonly [name: string]: unknown }
  try {
    idClaims = await Provider.claimsOf(provider, storedAttempt, callback, claims)
  } catch (error) {
    console.warn(`The provider was not believed: ${Provider.reasonOf(error)}`)
    return signOnFailure(context, "Your identity provider did not sign you on.", storedAttempt.location, storedAttempt)
  }
  const visitorClaims = Object.fromEntries(
    claims.flatMap((name) => (Object.hasOwn(idClaims, name) ? [[name, idClaims[name]]] : []))
  )
  if (new TextEncoder().encode(JSON.stringify(visitorClaims)).length > maxClaimsSize)
    console.warn("The claims are larger than what a site keeps of them, 2.5 KiB: it leaves the largest out")
  const token = await new SignJWT(visitorClaims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt()
    .setExpirationTime(tokenLifetime)
    .sign(new TextEncoder().encode(secret))
  if (token.length > maxToken) {
    const reason = "Your identity provider says more of you than this site can take."
    return signOnFailure(context, reason, storedAttempt.location, storedAttempt)
  }
  const to = pageOf(await siteOf(context), storedAttempt.location)
  to.searchParams.set("jwt_token", token)
  return redirect(to, [Attempts.forget(state, endpointOf(context))])
}

export default integration({
  components: { configure: configurationScreen(settings) },

  fetch_visitor_authentication: (event, context) =>
    event.action === "logout" ? signOff(context) : signOn(event, context),

  fetch: (event, context) => {
    const isCallback =
      context.environment.siteInstallation !== undefined && new URL(event.request.url).pathname.endsWith("/callback")
    if (!isCallback || event.request.method !== "get") throw new Refused("Nothing is here", 404)
    return finishSignOn(event, context)
  }
})
