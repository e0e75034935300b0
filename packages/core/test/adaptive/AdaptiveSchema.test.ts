import { assert, describe, it } from "@effect/vitest"
import {
  accept,
  type AdaptiveJsonSchema,
  emptySchema,
  maxBytes,
  maxDepth,
  maxProperties,
  unsignedDescription
} from "@lectern/core/adaptive/AdaptiveSchema"
import type { Claims } from "@lectern/core/adaptive/Claims"
import { Condition } from "@lectern/document/condition/Condition"
import { reduce } from "@lectern/core/adaptive/DeclaredClaims"
import { type TemplateCondition, templateConditions } from "@lectern/core/adaptive/TemplateConditions"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const description = "What it is"
const closed = (properties: unknown, rest = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...rest
})
const unsigned = (properties: unknown) => closed(properties, { description: unsignedDescription })

const full = {
  $schema: "http://json-schema.org/draft-07/schema#",
  ...closed({
    beta: { type: "boolean", description },
    plan: { type: "string", description, enum: ["free", "pro"] },
    name: { type: "string", description },
    seats: { type: "number", description },
    roles: { type: "array", description, items: { type: "string", description, enum: ["a", 'b"c'] } },
    numbers: { type: "array", description, items: { type: "number" } },
    "company of": closed({ "city's": { type: "string", description } }, { description }),
    unsigned: unsigned({
      lang: { type: "string", description, enum: ["en", "true"] },
      dark: { type: "boolean", description },
      age: { type: "number", description },
      tags: { type: "array", description, items: { type: "number", description } },
      place: closed({ x: { type: "number", description }, known: { type: "boolean", description } }, { description })
    })
  })
} as AdaptiveJsonSchema

const issuesOf = (input: unknown) =>
  accept(input).pipe(
    Effect.as<ReadonlyArray<string>>([]),
    Effect.catchTag("InvalidInput", ({ issues }) =>
      Effect.succeed(issues.map(({ path, message }) => `${path}: ${message}`))
    )
  )

/** Objects within objects, so many. */
const nested = (depth: number): unknown =>
  depth === 0 ? { type: "boolean", description } : closed({ a: nested(depth - 1) }, { description })

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "boolean", description }]))

describe("schemas that are accepted", () => {
  it.effect.each<unknown>([
    emptySchema,
    full,
    closed({}),
    closed({ beta: { type: "boolean", description } }, { $schema: "http://json-schema.org/draft-07/schema" }),
    closed({ a: nested(maxDepth - 1) }),
    closed({ ...many(maxProperties - 2), unsigned: unsigned({ a: { type: "string", description: "" } }) }),
    closed({ $ref: { type: "boolean", description }, properties: nested(1), type: { type: "number", description } }),
    closed({ a: closed({ unsigned: { type: "boolean", description } }, { description }) }),
    closed({ constructor: { type: "boolean", description: "x".repeat(maxBytes - 150) } })
  ])("%#", (schema) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* accept(schema), schema)
    })
  )
})

describe("schemas that are refused", () => {
  const types = 'Expected "boolean", "number", "string", "array" or "object"'
  const at = "jsonSchema.properties"
  const property = (schema: unknown) => closed({ a: schema })

  it.effect.each<readonly [string, unknown, ...ReadonlyArray<string>]>([
    ["text", "{}", "jsonSchema: Expected a JSON Schema"],
    ["null", null, "jsonSchema: Expected a JSON Schema"],
    ["a list", [], "jsonSchema: Expected a JSON Schema"],
    ["true", true, "jsonSchema: Expected a JSON Schema"],
    ["nothing in it", {}, 'jsonSchema.type: Expected "object"'],
    ["another type", closed({}, { type: "array" }), 'jsonSchema.type: Expected "object"'],
    [
      "another draft",
      closed({}, { $schema: "https://json-schema.org/draft/2020-12/schema" }),
      'jsonSchema.$schema: Expected "http://json-schema.org/draft-07/schema#"'
    ],
    ["open", closed({}, { additionalProperties: true }), "jsonSchema.additionalProperties: Expected false"],
    ["open by default", { type: "object", properties: {} }, "jsonSchema.additionalProperties: Expected false"],
    ["properties that are a list", closed([]), `${at}: Expected an object of claims`],
    [
      "more keywords",
      closed({}, { patternProperties: { "(a+)+$": {} } }),
      "jsonSchema: Expected no keywords but `$schema`, `type`, `properties` and `additionalProperties`"
    ],
    ["a boolean schema", property(true), `${at}.a: Expected a JSON Schema`],
    ["a type that is not known", property({ type: "int", description }), `${at}.a.type: ${types}`],
    ["an inherited name as a type", property({ type: "constructor", description }), `${at}.a.type: ${types}`],
    ["a type that claims can't be", property({ type: "null", description }), `${at}.a.type: ${types}`],
    ["two types", property({ type: ["string"], description }), `${at}.a.type: ${types}`],
    [
      "a description that is no text",
      property({ type: "boolean", description: 1 }),
      `${at}.a.description: Expected well-formed text`
    ],
    [
      "a description that is ill-formed",
      property({ type: "boolean", description: "\ud800" }),
      `${at}.a.description: Expected well-formed text`
    ],
    [
      "a pattern",
      property({ type: "string", description, pattern: "(a+)+$" }),
      `${at}.a: Expected no keywords but \`type\`, \`description\` and \`enum\``
    ],
    [
      "an enum of numbers",
      property({ type: "number", description, enum: [1] }),
      `${at}.a: Expected no keywords but \`type\` and \`description\``
    ],
    [
      "an enum that holds a number",
      property({ type: "string", description, enum: ["a", 1] }),
      `${at}.a.enum: Expected a list of texts`
    ],
    [
      "an enum that is no list",
      property({ type: "string", description, enum: "a" }),
      `${at}.a.enum: Expected a list of texts`
    ],
    ["a list of nothing", property({ type: "array", description }), `${at}.a.items: Expected a JSON Schema`],
    [
      "a list of lists",
      property({ type: "array", description, items: { type: "array" } }),
      `${at}.a.items.type: Expected "boolean", "number" or "string"`
    ],
    [
      "an open object",
      property({ type: "object", description, properties: {} }),
      `${at}.a.additionalProperties: Expected false`
    ],
    [
      "a reference to another document",
      property({ $ref: "http://169.254.169.254/latest/meta-data" }),
      `${at}.a.$ref: A schema can't refer to another document, and none is fetched`,
      `${at}.a.type: ${types}`
    ],
    [
      "a reference to another file",
      closed({}, { $ref: "other.json#/definitions/a" }),
      "jsonSchema.$ref: A schema can't refer to another document, and none is fetched"
    ],
    [
      "a reference within",
      property({ type: "boolean", description, $ref: "#/properties/a" }),
      `${at}.a: Expected no keywords but \`type\` and \`description\``
    ],
    [
      "unsigned claims that are no object",
      closed({ unsigned: { type: "boolean", description: unsignedDescription } }),
      `${at}.unsigned.type: Expected "object"`
    ],
    [
      "unsigned claims called something else",
      closed({ unsigned: closed({}, { description }) }),
      `${at}.unsigned.description: Expected "${unsignedDescription}"`
    ],
    [
      "too deep",
      closed({ a: nested(maxDepth) }),
      `${at}${".a.properties".repeat(maxDepth)}: Claims can't nest more than 10 deep`
    ],
    ["too many claims", closed(many(maxProperties + 1)), `${at}: Expected at most 200 claims in all`],
    [
      "too many on two levels",
      closed({ ...many(maxProperties - 1), z: closed({ a: nested(0) }, { description }) }),
      `${at}.z.properties: Expected at most 200 claims in all`
    ],
    [
      "too large",
      property({ type: "boolean", description: "é".repeat(maxBytes / 2) }),
      "jsonSchema: Expected at most 32 KiB of JSON"
    ],
    [
      "a name that is empty",
      closed({ "": nested(0) }),
      `${at}: Expected names of 1 to 100 characters of well-formed text, none of them \`__proto__\``
    ],
    [
      "a name that no object can hold",
      JSON.parse('{"type":"object","additionalProperties":false,"properties":{"__proto__":{"type":"boolean"}}}'),
      `${at}: Expected names of 1 to 100 characters of well-formed text, none of them \`__proto__\``
    ]
  ])("%s", ([_name, schema, ...issues]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issuesOf(schema), issues)
    })
  )

  it.effect("what is no JSON", () =>
    Effect.gen(function* () {
      const cycle: Record<string, unknown> = closed({})
      cycle["properties"] = { a: cycle }
      const bottomless = Array.from({ length: 100_000 }).reduce<unknown>((below) => closed({ a: below }), {})
      for (const schema of [undefined, () => 1, 1n, new Date(0), closed({ a: undefined }), bottomless]) {
        assert.isNotEmpty(yield* issuesOf(schema))
      }
      assert.isNotEmpty(yield* issuesOf(closed({ a: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) })))
    })
  )

  it.effect("all that is wrong is told, up to a point", () =>
    Effect.gen(function* () {
      const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, {}]))
      assert.lengthOf(yield* issuesOf(closed(wrong)), 20)
    })
  )
})

describe("what remains of claims", () => {
  it.each<readonly [string, Claims, Claims]>([
    ["nothing of nothing", {}, {}],
    ["what is declared", { beta: true, other: 1 }, { beta: true }],
    ["what is right, without what is not", { beta: "true", plan: "team", name: "x" }, { name: "x" }],
    ["each type", { plan: "pro", seats: 1.5, roles: ["a"] }, { plan: "pro", seats: 1.5, roles: ["a"] }],
    ["lists as a whole", { roles: ["a", "z"], numbers: [1, "2"] }, {}],
    ["objects as a whole", { "company of": { "city's": "Oslo" } }, { "company of": { "city's": "Oslo" } }],
    ["objects without more in them", { "company of": { "city's": "Oslo", more: 1 } }, {}],
    ["signed text as it is", { seats: "12", name: true }, {}],
    ["unsigned one by one", { unsigned: { dark: true, lang: "de", more: 1 } }, { unsigned: { dark: true } }],
    [
      "unsigned, read as declared",
      { unsigned: { age: "-1.5e1", dark: "false" } },
      { unsigned: { age: -15, dark: false } }
    ],
    ["unsigned text that looks like a boolean", { unsigned: { lang: true } }, { unsigned: { lang: "true" } }],
    ["unsigned numbers that are none", { unsigned: { age: "", dark: "1" } }, {}],
    ["unsigned numbers that are too large", { unsigned: { age: "1e999" } }, {}],
    ["a value where a list is declared", { unsigned: { tags: "1" } }, { unsigned: { tags: [1] } }],
    ["unsigned lists", { unsigned: { tags: ["1", 2] } }, { unsigned: { tags: [1, 2] } }],
    ["no unsigned lists of something else", { unsigned: { tags: [["1"]] } }, {}],
    [
      "unsigned below",
      { unsigned: { place: { x: "1", known: "true" } } },
      { unsigned: { place: { x: 1, known: true } } }
    ],
    ["no unsigned text", { unsigned: "x" }, {}],
    ["no unsigned list", { unsigned: [1] }, {}]
  ])("%s", (_name, claims, expected) => {
    assert.deepStrictEqual(reduce(full, claims), expected)
  })

  it("nothing, where nothing is declared", () => {
    assert.deepStrictEqual(reduce(emptySchema, { a: 1, unsigned: { b: 2 } }), {})
    assert.deepStrictEqual(reduce(closed({}) as AdaptiveJsonSchema, { a: 1, unsigned: { b: 2 } }), {})
  })

  it("nothing that is inherited", () => {
    const odd = closed({ constructor: nested(0), toString: { type: "string", description } }) as AdaptiveJsonSchema
    assert.deepStrictEqual(reduce(odd, {}), {})
    assert.deepStrictEqual(reduce(odd, { constructor: true } as never), { constructor: true } as never)
  })

  it("no claims throw", () => {
    const names = fc.constantFrom(
      ...Object.keys(full.properties),
      "lang",
      "dark",
      "age",
      "tags",
      "place",
      "x",
      "__proto__"
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(names, tie("value"), { maxKeys: 4 })
      )
    }))
    fc.assert(
      fc.property(fc.dictionary(names, value), (claims) => {
        const once = reduce(full, claims as Claims)
        assert.deepStrictEqual(reduce(full, once), once)
      }),
      runs()
    )
  })
})

describe("conditions to start from", () => {
  const isTemplate = (each: TemplateCondition) => Schema.is(Condition)(each.condition)

  it("there are some for each claim", () => {
    const conditions = templateConditions(full)
    assert.deepStrictEqual(
      conditions.map(({ condition }) => condition),
      [
        "visitor.claims.beta === true",
        "visitor.claims.beta !== true",
        'visitor.claims.plan === "free"',
        'visitor.claims.plan === "pro"',
        "visitor.claims.name !== undefined",
        "visitor.claims.name === undefined",
        "visitor.claims.seats !== undefined",
        "visitor.claims.seats === undefined",
        'visitor.claims.roles.includes("a")',
        'visitor.claims.roles.includes("b\\"c")',
        "visitor.claims.numbers !== undefined",
        "visitor.claims.numbers === undefined",
        `visitor.claims["company of"]["city's"] !== undefined`,
        `visitor.claims["company of"]["city's"] === undefined`,
        'visitor.claims.unsigned.lang === "en"',
        'visitor.claims.unsigned.lang === "true"',
        "visitor.claims.unsigned.dark === true",
        "visitor.claims.unsigned.dark !== true",
        "visitor.claims.unsigned.age !== undefined",
        "visitor.claims.unsigned.age === undefined",
        "visitor.claims.unsigned.tags !== undefined",
        "visitor.claims.unsigned.tags === undefined",
        "visitor.claims.unsigned.place.x !== undefined",
        "visitor.claims.unsigned.place.x === undefined",
        "visitor.claims.unsigned.place.known === true",
        "visitor.claims.unsigned.place.known !== true"
      ]
    )
    assert.isTrue(conditions.every(isTemplate))
    assert.deepStrictEqual(conditions[2], {
      object: "template-condition",
      description: 'plan is "free"',
      condition: 'visitor.claims.plan === "free"'
    })
    assert.strictEqual(conditions[15]?.description, 'unsigned.lang is "true"')
    assert.deepStrictEqual(templateConditions(emptySchema), [])
  })

  it("not without end", () => {
    const values = Array.from({ length: 5000 }, (_, i) => String(i))
    const schema = closed({ a: { type: "string", description, enum: values } }) as AdaptiveJsonSchema
    assert.lengthOf(templateConditions(schema), 1000)
    const long = closed({
      a: { type: "string", description, enum: ["x".repeat(2000), "y", "y"] }
    }) as AdaptiveJsonSchema
    assert.deepStrictEqual(
      templateConditions(long).map(({ condition }) => condition),
      ['visitor.claims.a === "y"']
    )
  })

  const text = fc.oneof(
    fc.constantFrom("a", "unsigned", "constructor", "class", "toJSON", "a b", '"', "\\", "'", "`${a}`", "\u2028", "0"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((each) => each.isWellFormed()),
    fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 20 })
  )
  const name = text.filter((each) => each !== "__proto__" && !each.includes("\u0000"))
  const { claims } = fc.letrec<{ item: unknown; claim: unknown; claims: Record<string, unknown> }>((tie) => ({
    item: fc.oneof(
      fc.constantFrom(
        { type: "boolean", description },
        { type: "number", description },
        { type: "string", description }
      ),
      fc.array(name, { maxLength: 4 }).map((values) => ({ type: "string", description, enum: values }))
    ),
    claim: fc.oneof(
      { depthSize: "small", maxDepth: 4 },
      tie("item"),
      tie("item").map((items) => ({ type: "array", description, items })),
      tie("claims").map((properties) => closed(properties, { description }))
    ),
    claims: fc.dictionary(name, tie("claim"), { maxKeys: 4, noNullPrototype: true })
  }))

  it.effect("every one can be read, whatever claims are called", () =>
    Effect.gen(function* () {
      for (const [signed, others] of fc.sample(fc.tuple(claims, claims), runs(500))) {
        const { unsigned: _, ...properties } = signed
        const schema = yield* accept(closed({ ...properties, unsigned: unsigned(others) }))
        for (const each of templateConditions(schema)) assert.isTrue(isTemplate(each), each.condition)
      }
    })
  )
})
