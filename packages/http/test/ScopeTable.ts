/**
 * Scopes that a user's token needs, as they were decided: by the paths of operations, in the words of this test
 * and apart from the table of the interface. The first line that a path matches counts. Reading takes the `:read`
 * or the `:write` of a name, writing its `:write`; a name that is a scope of its own is needed as it stands.
 */
import { TokenScope } from "@lectern/core/token/TokenScope"
import type { Method } from "./Harness.ts"

type Line = readonly [path: RegExp, reading: ReadonlyArray<string>, writing?: ReadonlyArray<string>]

const lines: ReadonlyArray<Line> = [
  [/\/permissions(\/|$)/, ["access"]],
  [/^\/v1\/user\/(notifications|watches)(\/|$)|\/watch$/, ["notification"]],
  [/^\/v1\/user(\/|$)/, ["user"]],
  [/^\/v1\/users\//, ["user", "organization"], ["user"]],
  // Accepting is the user's own; what is taken back is the organization's.
  [/^POST .*\/invites\/:inviteId$/, [], ["user"]],
  [/\/invites\/:inviteId$/, ["user", "organization"], ["organization"]],
  [/\/integrations\/:integrationName\/render$/, ["integration", "space:content"], ["integration:*", "space:content:*"]],
  [/\/integration-blocks$/, ["integration", "space:content"]],
  [/\/integration-scripts$/, ["integration", "site:metadata"]],
  [/\/(integrations|installations)(\/|$)/, ["integration"]],
  [/\/link-invites/, ["organization:write"], ["organization:write"]],
  [/^\/v1\/orgs(\/:organizationId)?(\/(members|invites|teams|saml|oidc|sso)(\/.*)?)?$/, ["organization"]],
  [/\/orgs\/:organizationId\/join$/, [], ["user"]],
  // It says nothing, and changes nothing that a request to read would not.
  [/\/orgs\/:organizationId\/ping$/, [], ["organization:*"]],
  [/^\/v1\/urls\/embed$/, ["space:content"]],
  [/\/email-domains(\/|$)/, ["organization"]],
  [/\/storage\/upload$/, [], ["organization", "site:metadata", "space:content"]],
  [/\/fonts(\/|$)/, ["organization", "site:metadata"], ["organization"]],
  [/\/audit-event/, ["audit:read"]],
  [/\/orgs\/:organizationId\/events$/, ["event:read"]],
  [/\/webhooks(\/|$)/, ["webhook"]],
  [/^\/v1\/subdomains\//, ["organization"]],
  [/\/openapi(\/|$)/, ["openapi"]],
  [/\/(collections|spaces|deleted-spaces)(\/:collectionId(\/.*)?)?$/, ["space:metadata"]],
  [/^(POST|PATCH|DELETE) \/v1\/spaces\/:spaceId(\/(duplicate|restore|move|transfer))?$/, [], ["space:metadata"]],
  [/^\/v1\/spaces\/:spaceId$/, ["space:metadata", "space:content"]],
  // They read, whatever the method is called.
  [/\/content\/computed\//, [], ["space:content:*"]],
  [/\/git\/info$/, ["space:git:sync", "space:content"]],
  [/\/git\//, [], ["space:git:sync"]],
  [/\/(comments|commenters)(\/|$)/, ["space:content"], ["space:comment"]],
  [/\/checks(\/|$)/, ["space:content"], ["space:check"]],
  [/\/(merge|reviews|requested-reviewers)(\/|$)/, ["space:content"], ["space:review"]],
  [/^\/v1\/spaces\/|\/(change-requests|translations(-glossary)?|imports)(\/|$)/, ["space:content"]],
  [/^\/v1\/urls\/content$/, ["space:metadata", "space:content"]],
  [/^GET .*\/search$/, ["space:content"]],
  [/\/sites\/:siteId\/search(\/prewarm)?$/, [], ["site:metadata:*", "space:content:*"]],
  [/\/publishing\/preview$/, ["space:content"]],
  [/\/(publish|unpublish|share-links|publishing|explain)(\/|$)/, ["site:publish"]],
  [/\/adaptive-schema/, ["site:adaptive"]],
  // They read, whatever the method is called.
  [
    /\/insights\/events(\/aggregate)?$|\/agents?[-/]feedback$|^\/v1\/urls\/published$/,
    ["site:metadata"],
    ["site:metadata:*"]
  ],
  [/\/sites(\/|$)|^\/v1\/custom-hostnames\//, ["site:metadata"]]
]

const known = new Set<string>(TokenScope.literals)

const scope = (name: string): TokenScope => {
  if (!known.has(name)) throw new Error(`There is no scope ${name}`)
  return name as TokenScope
}

/** The scopes any one of which allows the operation, the first of them the narrowest. */
export const scopesFor = (method: Method, path: string): ReadonlyArray<TokenScope> => {
  const line = lines.find(([pattern]) => pattern.test(path) || pattern.test(`${method} ${path}`))
  if (line === undefined) throw new Error(`No line for ${method} ${path}`)
  const [, reading, writing = reading] = line
  const both = (name: string) => [scope(`${name}:read`), scope(`${name}:write`)]
  return (method === "GET" ? reading : writing).flatMap((name) => {
    if (known.has(name)) return [name as TokenScope]
    if (name.endsWith(":*")) return both(name.slice(0, -2))
    return method === "GET" ? both(name) : [scope(`${name}:write`)]
  })
}

/** Scopes that parts of a body take beside. */
export const scopesOfBody = (path: string, body: unknown): ReadonlyArray<TokenScope> => {
  const has = (field: string) => typeof body === "object" && body !== null && field in body
  if (path.includes("/sites/")) return has("visibility") ? ["site:publish"] : []
  return has("access") || has("defaultLevel") || has("visibility") ? ["access:write"] : []
}
