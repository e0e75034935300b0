/**
 * The description of the interface as programs of others take it: a linter has nothing to say about it, types of a
 * client are made of it, and naming its schemas has changed none of them.
 */
import { LecternApi } from "@lectern/http/api/LecternApi"
import { description } from "@lectern/http/description/Description"
import { type JsonSchema, mapSubschemas, nameOf } from "@lectern/http/description/JsonSchema"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import openapiTS, { astToString } from "openapi-typescript"

const made = Effect.runSync(Effect.cached(description("https://docs.acme.org")))

/** A schema with all that it refers to in it, as far as that is not in itself. */
const whole = (components: Readonly<Record<string, JsonSchema>>) => {
  const within = (schema: JsonSchema, open: ReadonlyArray<string>): JsonSchema => {
    const name = nameOf(schema)
    if (name === undefined) return mapSubschemas(schema, (part) => within(part, open))
    return open.includes(name) ? { type: "itself" } : within(components[name]!, [...open, name])
  }
  return (schema: JsonSchema) => within(schema, [])
}

/** A schema without the parts that the description leaves out, and with those that it adds. */
const plain = (schema: JsonSchema): JsonSchema => {
  if (JSON.stringify(schema) === '{"not":{"type":"null"}}') return { type: "object" }
  const { additionalProperties, maximum, minimum, ...rest } = mapSubschemas(schema, plain)
  return {
    ...rest,
    ...(rest.type === "array" && rest.items === undefined && { items: {} }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
  }
}

describe("The description of the interface, to others", () => {
  it.effect("is found right by a linter, warnings included", () =>
    Effect.gen(function* () {
      const source = JSON.stringify(yield* made)
      const config = yield* Effect.promise(() => createConfig({ extends: ["recommended"] }))
      const problems = yield* Effect.promise(() =>
        lintFromString({ source, config, absoluteRef: "https://docs.acme.org/openapi.json" })
      )
      assert.deepStrictEqual(
        problems.map(({ location, message, ruleId }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
        []
      )
    })
  )

  it.effect("becomes types of a client", () =>
    Effect.gen(function* () {
      const source = JSON.stringify(yield* made)
      const types = astToString(yield* Effect.promise(() => openapiTS(source)))
      assert.match(types, /^ {8}Space: \{\n {12}\/\*\* @enum \{string\} \*\/\n {12}object: "space";\n {12}id: string;/m)
      assert.include(types, '"application/json": components["schemas"]["SpaceCreate"];')
      assert.match(types, /limit\?: number;/)
    })
  )

  it.effect("says of every body what the interface itself says", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* made
      const api = OpenApi.fromApi(LecternApi)
      const named = whole(components.schemas)
      const unnamed = whole(api.components.schemas as Record<string, JsonSchema>)
      let compared = 0
      for (const [path, methods] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const { requestBody, responses } = api.paths[path]![method as "get"]!
          const bodies = [
            [operation.requestBody, requestBody],
            ...Object.entries(operation.responses).map(
              // A part of the bytes is of the kind that all of them are.
              ([status, answer]) => [answer, responses[status === "206" ? 200 : Number(status)]] as const
            )
          ] as const
          for (const [is, was] of bodies) {
            for (const [type, { schema }] of Object.entries(is?.content ?? {})) {
              const expected = plain(unnamed(was!.content![type]!.schema as JsonSchema))
              assert.deepStrictEqual(named(schema), expected, `${method} ${path}`)
              compared++
            }
          }
        }
      }
      assert.isAbove(compared, 300)
    })
  )
})
