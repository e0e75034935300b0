/** Tests that creating a resource accepts every field that updating it accepts, except for the listed fields. */
import * as Description from "@lectern/http/description/Description"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { it } from "vitest"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { json, ofSite } from "./SiteSteps.ts"
import { createSpace } from "./Steps.ts"

interface Schema {
  readonly $ref?: string
  readonly properties?: { readonly [name: string]: Schema }
  readonly allOf?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
}
interface Operation {
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } }
}
interface Described {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

/**
 * Update-only fields by the path of the create operation. They have no meaning at creation, or creation sets them by
 * another field.
 */
const changedAlone: { readonly [path: string]: ReadonlyArray<string> } = {
  // Reactions and resolution require an existing comment.
  "/v1/spaces/{spaceId}/comments": ["addedReactions", "removedReactions", "resolved"],
  "/v1/spaces/{spaceId}/comments/{commentId}/replies": ["addedReactions", "removedReactions", "resolved"],
  "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments": ["addedReactions", "removedReactions", "resolved"],
  "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies": [
    "addedReactions",
    "removedReactions",
    "resolved"
  ],
  // The fields select among the children of an existing resource.
  "/v1/orgs/{organizationId}/sites": ["defaultSiteSection", "defaultSiteSpace"],
  "/v1/orgs/{organizationId}/sites/{siteId}/sections": ["defaultSiteSpace"],
  "/v1/orgs/{organizationId}/sites/{siteId}/share-links": ["active"],
  // On creation, `memberships` sets roles.
  "/v1/orgs/{organizationId}/teams/{teamId}/members": ["role"],
  // A new organization has no content to configure yet. The program of an integration sets the fields of an
  // installation after the installation event.
  "/v1/orgs": [
    "ai",
    "defaultContent",
    "defaultRole",
    "hostname",
    "inviteLinks",
    "logo",
    "mergeRules",
    "requireSecondFactor",
    "sso"
  ],
  "/v1/integrations/{integrationName}/installations": [
    "configuration",
    "externalIds",
    "scopes",
    "site_selection",
    "space_selection",
    "status"
  ],
  "/v1/integrations/{integrationName}/installations/{installationId}/spaces": ["configuration", "externalIds"],
  "/v1/integrations/{integrationName}/installations/{installationId}/sites": ["configuration", "externalIds"]
}

const fieldsOf = ({ components }: Described, operation: Operation | undefined): ReadonlySet<string> => {
  const found = new Set<string>()
  const open = Object.values(operation?.requestBody?.content ?? {}).map(({ schema }) => schema)
  const seen = new Set<string>()
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { $ref, properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema
    for (const name of Object.keys(properties)) found.add(name)
    open.push(...allOf, ...anyOf, ...oneOf)
    const name = $ref?.split("/").at(-1)
    if (name !== undefined && !seen.has(name)) open.push(components.schemas[seen.add(name) && name]!)
  }
  return found
}

describe("An operation that creates", () => {
  it("takes every field that the one which changes the same resource takes", async () => {
    const described = (await Effect.runPromise(Description.description("http://127.0.0.1"))) as unknown as Described
    const dropped: Record<string, ReadonlyArray<string>> = {}
    for (const [path, methods] of Object.entries(described.paths)) {
      const creating = methods["post"] ?? methods["put"]
      if (creating === undefined) continue
      const created = fieldsOf(described, creating)
      for (const [below, { patch, put }] of Object.entries(described.paths)) {
        if (!below.startsWith(`${path}/{`) || below.split("/").length !== path.split("/").length + 1) continue
        const missing = [patch, put]
          .flatMap((one) => [...fieldsOf(described, one)])
          .filter((name) => !created.has(name))
        if (missing.length > 0) dropped[path] = [...new Set(missing)].sort()
      }
    }
    assert.deepStrictEqual(dropped, changedAlone)
  })
})

onMemory("What is said of a resource when it is made", (it) => {
  it.effect("is so from the start", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace({ title: "Docs" })
      const create = (path: string, body: unknown) => call("admin", "POST", path, body)
      const sites = `/v1/orgs/${organization}/sites`
      const said = { basename: "Said-Name", agentsContext: "excluded", adaptiveContent: { enabled: true } }
      const site = yield* create(sites, { title: "Site", spaces: [space], ...said }).pipe(json(201))
      assert.deepInclude(site, said)
      assert.deepInclude(yield* ofSite(site.id, "GET", "").pipe(json(200)), said)
      yield* create(sites, { title: "Site", basename: "said-name" }).pipe(refused(409))
      yield* create(sites, { title: "Site", basename: "a/b" }).pipe(refused(400))
      const proxied = yield* create(sites, { title: "Site", proxy: "www.said.example.com/docs" }).pipe(json(201))
      assert.strictEqual(proxied.proxy.origin, "www.said.example.com/docs")

      const other = yield* createSpace({ title: "Other" })
      const condition = "visitor.claims.beta == true"
      const section = { path: "first", description: "What it holds", condition }
      const made = yield* create(`${sites}/${proxied.id}/sections`, { spaceId: space, title: "One", ...section }).pipe(
        json(201)
      )
      assert.deepInclude(made, section)
      yield* create(`${sites}/${proxied.id}/sections`, { spaceId: other.id, path: "FIRST" }).pipe(refused(409))
      yield* create(`${sites}/${proxied.id}/sections`, { spaceId: other.id, condition: "(" }).pipe(refused(400))
      const variant = { path: "variant", condition }
      const added = yield* create(`${sites}/${proxied.id}/site-spaces`, {
        spaceId: other.id,
        sectionId: made.id,
        ...variant
      }).pipe(json(201))
      assert.deepInclude(added, variant)

      const spec = { slug: "said", source: { text: "openapi: 3.0.0" }, visibility: "public" }
      const { visibility } = yield* create(`/v1/orgs/${organization}/openapi`, spec).pipe(json(201))
      assert.strictEqual(visibility, "public")

      const open = yield* create(`/v1/spaces/${space}/change-requests`, {
        subject: "Said",
        status: "open",
        description: { markdown: "What it is for" }
      }).pipe(json(201))
      assert.strictEqual(open.status, "open")
      assert.include(JSON.stringify(open.description), "What it is for")
      const counted = yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(has(200))
      assert.deepInclude(JSON.parse(counted.text), { changeRequestsOpen: 1, changeRequestsDraft: 0 })
    })
  )
})
