/** The description of the interface: good enough to make a client of, and to read. */
import { LecternApi } from "@lectern/http/api/LecternApi"
import { description } from "@lectern/http/description/Description"
import type { JsonSchema } from "@lectern/http/description/JsonSchema"
import { nameOverrides } from "@lectern/http/description/SchemaNames"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { endpoints } from "./Endpoints.ts"

const server = "https://docs.example.com"
const made = Effect.cached(description(server)).pipe(Effect.runSync)

const operations = Effect.map(made, ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation }))
  )
)

/** Everything that is referred to in a value. */
const refsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, part]) =>
        name === "$ref" && typeof part === "string" ? [part] : refsIn(part)
      )

/** Paths of lists that don't say of what. */
const listsOfNothing = (value: unknown, path = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...("type" in value && value.type === "array" && !("items" in value) && !("prefixItems" in value)
          ? [path]
          : []),
        ...Object.entries(value).flatMap(([name, part]) => listsOfNothing(part, `${path}/${name}`))
      ]

/** Paths of times that don't say that they are. */
const textsForTimes = (value: unknown, path = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(path.endsWith("At") && "type" in value && !("format" in value && value.format === "date-time")
          ? [path]
          : []),
        ...Object.entries(value).flatMap(([name, part]) => textsForTimes(part, `${path}/${name}`))
      ]

/** Paths of schemas that bound texts without saying that they are of texts. */
const boundsOfNothing = (value: unknown, path = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(["pattern", "minLength", "maxLength"].some((bound) => bound in value && !isSchema(value, bound))
          ? [path]
          : []),
        ...Object.entries(value).flatMap(([name, part]) => boundsOfNothing(part, `${path}/${name}`))
      ]

/** A field may be called as a keyword is: its value is a schema then, and no text or number. */
const isSchema = (value: object, keyword: string) =>
  ("type" in value && value.type === "string") || typeof (value as Record<string, unknown>)[keyword] === "object"

describe("The description of the interface", () => {
  it.effect("says of each list what is in it", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* made
      assert.deepStrictEqual(listsOfNothing({ components, paths }), [])
    })
  )

  it.effect("says of texts how long they may be, and of each bound that it is one of texts", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* made
      assert.containSubset(components.schemas["TeamCreate"], { properties: { title: { minLength: 1, maxLength: 64 } } })
      assert.deepStrictEqual(boundsOfNothing({ components, paths }), [])
    })
  )

  it.effect("says of an answer without fields that it is an object", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* made
      assert.deepStrictEqual(paths["/v1/orgs/{organizationId}/ping"]?.["post"]?.responses["200"]?.content, {
        "application/json": { schema: { $ref: "#/components/schemas/JsonObject" } }
      })
      assert.deepStrictEqual(components.schemas["JsonObject"], { type: "object" })
      assert.notInclude(JSON.stringify({ components, paths }), '"not":{"type":"null"}')
    })
  )

  it.effect("has every operation, of this server, with its token where it wants one", () =>
    Effect.gen(function* () {
      const { components, servers } = yield* made
      assert.deepStrictEqual(servers, [{ url: server }])
      assert.containSubset(components.securitySchemes, { bearer: { type: "http", scheme: "bearer" } })
      const named = (yield* operations).map(({ method, operationId, path }) => `${operationId} ${method} ${path}`)
      assert.sameMembers(
        named,
        endpoints.map(({ method, name, segments }) => {
          const path = segments.map((segment) => segment.replace(/^:(.*)$/, "{$1}")).join("/")
          return `${name} ${method} ${path}`
        })
      )
    })
  )

  it.effect("has a sentence for each operation, parameter and answer, and a name for each group", () =>
    Effect.gen(function* () {
      const sentence = /^[A-Z`].*\.$/
      for (const { description, operationId, parameters, responses } of yield* operations) {
        assert.match(description, sentence, operationId)
        for (const parameter of parameters) {
          assert.match(parameter.description, sentence, `${operationId} has no sentence for ${parameter.name}`)
        }
        assert.isNotEmpty(Object.keys(responses).filter((status) => Number(status) < 400))
      }
      const { components, tags } = yield* made
      for (const [name, { description = "" }] of Object.entries(components.responses)) {
        assert.match(description, sentence, name)
      }
      for (const tag of tags) assert.containsAllKeys(tag, ["name", "description"])
    })
  )

  it.effect("tells of the headers of answers that clients go on with", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* made
      const namesOf = (responses: object) =>
        Object.fromEntries(
          Object.entries(responses).flatMap(([status, { headers }]) =>
            headers === undefined ? [] : [[status, Object.keys(headers)]]
          )
        )
      assert.deepStrictEqual(namesOf(components.responses), {
        ServiceUnavailable: ["Retry-After"],
        TooManyRequests: ["Retry-After"]
      })
      const pages = paths["/v1/spaces/{spaceId}/content/pages"]?.["get"]
      assert.deepStrictEqual(namesOf(pages?.responses ?? {}), { 200: ["ETag"], 304: ["ETag"] })
      const all = yield* operations
      const responsesOf = (id: string) => all.find(({ operationId }) => operationId === id)?.responses ?? {}
      assert.deepStrictEqual(namesOf(responsesOf("downloads.published")), {
        200: ["ETag"],
        206: ["ETag", "Content-Range"],
        304: ["ETag"],
        307: ["Location"]
      })
      assert.containSubset(namesOf(responsesOf("pdfDownloads.pdf")), { 202: ["Retry-After"] })
    })
  )

  it.effect("tells which texts are times", () =>
    Effect.gen(function* () {
      // These take a date as well (`InputTime`).
      assert.deepStrictEqual(textsForTimes((yield* made).components.schemas), [
        "/InviteLinkCreate/properties/expiresAt",
        "/UserTokenCreate/properties/expiresAt"
      ])
    })
  )

  it.effect("has schemas by their names, each once, and refers to no other", () =>
    Effect.gen(function* () {
      const whole = yield* made
      const names = Object.keys(whole.components.schemas)
      const wanted = "Space SpaceList SpaceCreate ChangeRequest Collection Comment DocumentPage File Organization Page"
      assert.includeMembers(names, [...wanted.split(" "), "Member", "Revision", "Site", "SiteSpace", "Team", "User"])
      assert.includeMembers(names, Object.values(nameOverrides))
      // A number stands where two are called alike: one of them wants a better name (`SchemaNames`).
      assert.deepStrictEqual(
        names.filter((name) => /\d$/.test(name)),
        []
      )
      // Generators of clients call what an operation takes, answers and fails with so.
      const ends = ["Result", "Params", "Body", "Response", "Data", "Error", "Errors", "Options"]
      const generated = new Set(
        (yield* operations).flatMap(({ operationId }) =>
          ends.map((end) => `${operationId.replace(".", "")}${end}`.toLowerCase())
        )
      )
      assert.deepStrictEqual(
        names.filter((name) => generated.has(name.toLowerCase())),
        []
      )
      const there = [
        ...names.map((name) => `#/components/schemas/${name}`),
        ...Object.keys(whole.components.responses).map((name) => `#/components/responses/${name}`)
      ]
      const refs = new Set(refsIn(whole))
      assert.sameMembers([...refs], there)
      const inline = (yield* operations).flatMap(({ operationId, requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].flatMap((body) =>
          Object.values(body?.content ?? {}).flatMap(({ schema }) =>
            schema.type === "object" && schema.properties !== undefined ? [operationId] : []
          )
        )
      )
      assert.deepStrictEqual(inline, [])
    })
  )

  it.effect("calls what several have in common after none of them", () =>
    Effect.gen(function* () {
      const bodies = yield* Effect.map(operations, (all) =>
        Object.fromEntries(
          all.map(({ operationId, requestBody, responses }) => [
            operationId,
            [requestBody, responses["200"]].flatMap((body) => refsIn(body).map((ref) => ref.split("/").at(-1)))
          ])
        )
      )
      assert.containSubset(bodies, {
        "members.update": ["RoleUpdate", "Member"],
        "inviteLinks.update": ["RoleUpdate", "InviteLink"],
        "spaces.move": ["Move", "Space"],
        "sitePlacements.update": ["PlacementUpdate", "IntegrationSiteInstallation"],
        "previews.url": ["SignedUrl"],
        "installations.statuses": ["IntegrationInstallationStatusList"],
        "installations.status": ["InstallationStatus"]
      })
    })
  )

  it.effect("has numbers and booleans of queries as such", () =>
    Effect.gen(function* () {
      const types: Record<string, JsonSchema> = {}
      for (const { parameters } of yield* operations) {
        for (const { in: where, name, schema } of parameters) if (where === "query") types[name] = schema
      }
      assert.deepStrictEqual(types["limit"], { type: "integer", minimum: 1, maximum: 1000 })
      assert.deepStrictEqual(types["published"], { type: "boolean" })
      assert.deepStrictEqual(types["expires"]?.type, "integer")
      // The e-mail address of a visitor has a pattern of its own.
      const { as: _, ...others } = types
      const text = JSON.stringify(Object.values(others))
      assert.notInclude(text, '"true"')
      assert.notInclude(text, '"pattern"')
    })
  )

  it.effect("has an example for each body, which its operation takes", () =>
    Effect.gen(function* () {
      for (const { operationId, requestBody } of yield* operations) {
        if (requestBody === undefined) continue
        const [group = "", name = ""] = operationId.split(".")
        const { payload } = (LecternApi.groups as unknown as Groups)[group]!.endpoints[name]!
        const schemas = Array.from(payload.values()).flatMap(({ schemas }) => schemas)
        for (const [type, { example }] of Object.entries(requestBody.content)) {
          if (!type.includes("json")) continue
          const taken = schemas.map((schema) =>
            Schema.decodeUnknownExit(Schema.toCodecJson(schema) as unknown as Schema.Codec<unknown>)(example, {
              onExcessProperty: "error"
            })
          )
          assert.isTrue(taken.some(Exit.isSuccess), `${operationId} does not take ${JSON.stringify(example)}`)
        }
      }
    })
  )
})

type Groups = Readonly<Record<string, { readonly endpoints: Readonly<Record<string, HttpApiEndpoint.Top>> }>>
