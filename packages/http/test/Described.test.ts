/**
 * The description of the interface beside the server that it describes, over every request of `AuthorityTable`.
 *
 * Its examples of bodies are sent as somebody would who has read it: with ids of things that are there, as the table
 * has them, in place of the ids of the examples. What needs an id that the table does not have is as it is there, or
 * left out. Answers are held to the schemas that are told for them.
 */
import { Checkpoints } from "@lectern/adapter-memory/Checkpoints"
import { description } from "@lectern/http/description/Description"
import { Ajv2020 as Ajv } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { operations } from "./AuthorityTable.ts"
import { Harness, onMemory } from "./Harness.ts"
import { makeThings } from "./Things.ts"

const anId = "2wEFZKdqz6hyPyc7XUmjFn"

/** Those that want something first: an upload, or a host that fetches. */
const first = new Set(["contentImports.space", "contentImports.changeRequest", "fonts.create"])

/** A part of an example with the ids of one that is taken, undefined where one of its ids is missing there. */
const fitted = (example: unknown, taken: unknown): unknown => {
  if (example === anId) return typeof taken === "string" ? taken : undefined
  if (Array.isArray(example)) {
    const one: unknown = Array.isArray(taken) ? taken[0] : undefined
    return example.map((item) => fitted(item, one)).filter((item) => item !== undefined)
  }
  if (typeof example !== "object" || example === null) return example
  const fields = fieldsOf(example, taken)
  return fields.length < Object.keys(example).length ? undefined : Object.fromEntries(fields)
}

const fieldsOf = (example: object, taken: unknown): ReadonlyArray<readonly [string, unknown]> => {
  const known = (taken ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(example)
    .map(([name, value]) => [name, fitted(value, known[name]) ?? known[name]] as const)
    .filter(([, value]) => value !== undefined)
}

onMemory("The description beside the server", (it) => {
  it.effect("has examples that are taken", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { paths } = yield* description("https://docs.example.com")
      const examples = new Map(
        Object.values(paths).flatMap((methods) =>
          Object.values(methods).flatMap(({ operationId, requestBody }) => {
            const example = Object.values(requestBody?.content ?? {})[0]?.example
            return example === undefined ? [] : [[operationId, example] as const]
          })
        )
      )
      const things = yield* makeThings
      const checkpoints = Option.getOrThrow(yield* Effect.serviceOption(Checkpoints))
      const setBack = yield* checkpoints.create
      const refused: Array<unknown> = []
      const sentOf = new Set<string>()
      for (const { body, least, method, name, path } of operations) {
        const example = examples.get(name)
        if (typeof example !== "object" || example === null) continue
        const sent = Object.fromEntries(fieldsOf(example, body(things)))
        const answer = yield* call(least === "administrator" ? "outsider" : "admin", method, path(things), sent)
        // Other refusals are of how things are: what is there already, or isn't.
        if (answer.status === 400 && !first.has(name)) refused.push([name, answer.text, sent])
        sentOf.add(name)
        if (method !== "GET") yield* setBack
      }
      assert.deepStrictEqual(refused, [])
      assert.sameMembers([...examples.keys()], [...sentOf])
    })
  )

  it.effect("tells of the headers that operations go by", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { paths } = yield* description("https://docs.example.com")
      const described = Object.values(paths).flatMap((methods) => Object.values(methods))
      const told = new Map(
        described.map(({ operationId, parameters, responses }) => [
          operationId,
          {
            headers: parameters.flatMap(({ in: where, name }) => (where === "header" ? [name] : [])),
            statuses: Object.keys(responses)
              .map(Number)
              .filter((status) => [206, 304, 307, 412, 416].includes(status))
          }
        ])
      )
      const things = yield* makeThings
      const setBack = yield* Option.getOrThrow(yield* Effect.serviceOption(Checkpoints)).create
      const others: Array<unknown> = []
      const asked = new Set<string>()
      for (const { body, least, method, name, path } of operations) {
        const by = least === "administrator" ? "outsider" : "admin"
        const statusFor = (headers: Record<string, string>) =>
          call(by, method, path(things), body(things), headers).pipe(
            Effect.map(({ status }) => status),
            Effect.tap(() => (method === "GET" ? Effect.void : setBack))
          )
        const isHeld = method === "GET" && (yield* statusFor({ "if-none-match": "*" })) === 304
        const isSeen = method !== "GET" && (yield* statusFor({ "if-match": '"another"' })) === 412
        const found = isHeld
          ? { headers: ["If-None-Match"], statuses: [304] }
          : isSeen
            ? { headers: ["If-Match"], statuses: [412] }
            : { headers: [], statuses: [] }
        if (JSON.stringify(told.get(name)) !== JSON.stringify(found)) others.push([name, told.get(name), found])
        asked.add(name)
      }
      assert.deepStrictEqual(others, [])
      // Those of which the table has none: the tests of each ask with these headers.
      const ranges = {
        headers: ["If-None-Match", "Range", "If-Range"],
        statuses: [206, 304, 416]
      }
      assert.deepStrictEqual(
        new Map(Array.from(told).filter(([name, { headers }]) => !asked.has(name) && headers.length > 0)),
        new Map<string, unknown>([
          ["publishedSpecs.get", { headers: ["If-None-Match"], statuses: [304] }],
          ["downloads.file", ranges],
          ["downloads.published", { ...ranges, statuses: [206, 304, 307, 416] }],
          ["pdfDownloads.pdf", ranges],
          ["uploadedFiles.get", ranges]
        ])
      )
    })
  )

  it.effect("tells what is answered", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const ajv = new Ajv({ strict: false, allErrors: true })
      formats.default(ajv)
      const { components, paths } = yield* description("https://docs.example.com")
      ajv.addSchema({ $id: "description", components })
      const responsesOf = new Map(
        Object.values(paths).flatMap((methods) =>
          Object.values(methods).map(({ operationId, responses }) => [operationId, responses] as const)
        )
      )
      const things = yield* makeThings
      const setBack = yield* Option.getOrThrow(yield* Effect.serviceOption(Checkpoints)).create
      const others: Array<unknown> = []
      for (const { body, least, method, name, path, says } of operations) {
        const answer = yield* call(least === "administrator" ? "outsider" : "admin", method, path(things), body(things))
        if (method !== "GET") yield* setBack
        const [type = ""] = (answer.headers.get("content-type") ?? "").split(";")
        const told = responsesOf.get(name)?.[answer.status]
        const isTagged = told?.headers?.["ETag"] !== undefined
        if (answer.headers.has("etag") !== isTagged) others.push([says, "ETag", isTagged])
        const schema = told?.content?.[type]?.schema
        if (told !== undefined && answer.text === "" && told.content === undefined) continue
        if (schema === undefined && told?.$ref === undefined) others.push([says, answer.status, type])
        if (schema === undefined || type !== "application/json") continue
        const ref = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/'))
        if (!ajv.validate(ref, JSON.parse(answer.text))) others.push([says, ajv.errorsText()])
      }
      assert.deepStrictEqual(others, [])
    })
  )
})
