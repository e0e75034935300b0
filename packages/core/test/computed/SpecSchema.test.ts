/** Tests the traversal of schemas: references, `allOf`, discriminators, and numbers with their source digits. */
import * as SchemaFacts from "@lectern/core/computed/SchemaFacts"
import * as SchemaRows from "@lectern/core/computed/SchemaRows"
import * as SchemaTypes from "@lectern/core/computed/SchemaTypes"
import { type Fields, fieldsOf, read } from "@lectern/core/computed/SpecParser"
import { SchemaReader } from "@lectern/core/computed/SpecSchema"
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const readerOf = (schemas: object) => new SchemaReader(read({ components: { schemas } } as Fields))
const parsed = (json: string) => SpecNumber.parse(json) as Fields

const factsOf = (schema: unknown, schemas: object = {}) =>
  SchemaFacts.factsOf(readerOf(schemas).resolve(schema)).map(({ kind, texts }) => [kind, ...texts].join(" "))

describe("Bounds", () => {
  it.each([
    ["of 3.0 by a word", { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }, "> 1, ≤ 5"],
    ["of 3.1 as numbers", { exclusiveMinimum: 1, exclusiveMaximum: 5 }, "> 1, < 5"],
    ["of both kinds, of which one implies the other", { minimum: 3, exclusiveMinimum: 1 }, "≥ 3"],
    ["of both kinds at one number", { maximum: 3, exclusiveMaximum: 3 }, "< 3"],
    ["that leave one value", { minimum: 3, maximum: 3 }, "= 3"],
    ["in two parts", { allOf: [{ minimum: 1, maximum: 9 }, { minimum: 4 }, { exclusiveMaximum: 7 }] }, "≥ 4, < 7"]
  ])("%s", (_, schema, text) => {
    assert.deepStrictEqual(factsOf(schema), [`number ${text}`])
  })

  it("and other facts are all there", () => {
    assert.deepStrictEqual(
      factsOf({
        multipleOf: 2,
        minLength: 1,
        maxItems: 3,
        minProperties: 2,
        pattern: "^a",
        contentEncoding: "base64",
        contentMediaType: "image/png",
        uniqueItems: true,
        additionalProperties: false,
        enum: [1, "a"],
        const: 1,
        default: 1,
        examples: [1, 2],
        dependentRequired: { a: ["b", "c"] }
      }),
      [
        "number × 2",
        "characters ≥ 1",
        "items ≤ 3",
        "properties ≥ 2",
        "pattern ^a",
        "encoding base64 image/png",
        "unique",
        "closed",
        'values 1 "a"',
        "values 1",
        "default 1",
        "example 1 2",
        "requires a b c"
      ]
    )
  })
})

describe("Numbers", () => {
  const odd = ["9223372036854775807", "-9007199254740993", "1.0", "0.10", "1e400", "-0", "1E5", "0.0000001", "1e21"]

  it.each(odd)("%s stays as it is written", (text) => {
    const value = parsed(`{"minimum":${text},"default":${text},"enum":[${text}],"example":{"a":[${text}]}}`)
    assert.deepStrictEqual(factsOf(value), [
      `number ≥ ${text}`,
      `values ${text}`,
      `default ${text}`,
      `example {"a":[${text}]}`
    ])
    assert.strictEqual(JSON.stringify(SpecNumber.parse(`[${text}]`)), `[${text}]`)
  })

  it("are compared by their digits", () => {
    const schema = parsed(`{"allOf":[{"minimum":9007199254740992},{"minimum":9007199254740993}]}`)
    assert.deepStrictEqual(factsOf(schema), ["number ≥ 9007199254740993"])
  })

  it("come back from JSON as they were, all of them", () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/),
        fc.string(),
        (text, beside) => {
          const json = `[${text},${JSON.stringify(beside)},{"a":${text}}]`
          assert.strictEqual(JSON.stringify(SpecNumber.parse(json)), json)
        }
      ),
      runs(300)
    ))
})

describe("allOf", () => {
  it("merges a property that stands in two parts, at any depth", () => {
    const reader = readerOf({ A: { properties: { p: { type: "object", properties: { x: { type: "number" } } } } } })
    const whole = reader.resolve({
      allOf: [
        ref("A"),
        { required: ["p"], properties: { p: { properties: { x: { type: "integer", minimum: 2 }, y: {} } } } }
      ]
    })
    const p = reader.resolve(fieldsOf(whole.fields.properties).p)
    assert.deepStrictEqual(Object.keys(fieldsOf(p.fields.properties)), ["x", "y"])
    const x = fieldsOf(p.fields.properties).x
    assert.strictEqual(SchemaTypes.typeText(reader, x), "integer")
    assert.deepStrictEqual(SchemaFacts.factsOf(reader.resolve(x)), [{ kind: "number", texts: ["≥ 2"] }])
    assert.deepStrictEqual(whole.fields.required, ["p"])
  })

  it.each([
    ["behind allOf", { allOf: [ref("Color")], description: "x" }],
    ["behind a reference with a description", { ...ref("Color"), description: "x" }],
    ["behind the only alternative", { anyOf: [ref("Color"), { type: "null" }], description: "x" }]
  ])("shows values %s", (_, schema) => {
    const schemas = { Color: { type: "string", enum: ["red"], description: "A color" } }
    const found = readerOf(schemas).resolve(schema)
    assert.deepStrictEqual(factsOf(schema, schemas), ['values "red"'])
    assert.strictEqual(found.fields.description, "x")
  })

  it("allows the values that all parts allow", () => {
    assert.deepStrictEqual(factsOf({ allOf: [{ enum: [1, 2, 3] }, { enum: [3, 2] }] }), ["values 2 3"])
    assert.deepStrictEqual(factsOf({ allOf: [{ pattern: "a" }, { pattern: "b" }] }), ["pattern a b"])
    // Contradictory parts are all preserved.
    assert.deepStrictEqual(factsOf({ allOf: [{ enum: [1] }, { enum: ["a"] }] }), ['values 1 "a"'])
  })

  it("ends where schemas are made of each other", () => {
    const schemas = { A: { allOf: [ref("B"), { properties: { a: ref("A") } }] }, B: { allOf: [ref("A")] }, C: ref("C") }
    const reader = readerOf(schemas)
    for (const name of ["A", "B", "C", "D"]) reader.resolve(ref(name))
    assert.deepStrictEqual(Object.keys(fieldsOf(reader.resolve(ref("A")).fields.properties)), ["a"])
  })
})

describe("Discriminators", () => {
  const kinds = (reader: SchemaReader, schema: unknown, property = "kind") =>
    SchemaFacts.factsOf(reader.resolve(fieldsOf(reader.resolve(schema).fields.properties)[property])).map(
      ({ texts }) => texts
    )

  it.each([["oneOf"], ["anyOf"]])(
    "a schema made of a parent with %s names its kind and lists no alternatives",
    (keyword) => {
      const reader = readerOf({
        Pet: {
          [keyword]: [ref("Cat"), ref("Dog")],
          discriminator: { propertyName: "kind", mapping: { kitty: "#/components/schemas/Cat" } },
          properties: { kind: { type: "string" } }
        },
        Cat: { allOf: [ref("Pet"), { properties: { lives: {} } }] },
        Dog: { allOf: [ref("Pet")] },
        Puppy: { allOf: [ref("Dog")] }
      })
      assert.deepStrictEqual(
        reader.resolve(ref("Pet")).choices.map(({ options }) => options.map(({ kind }) => kind?.values)),
        [[["kitty"], ["Dog"]]]
      )
      for (const [name, kind] of [
        ["Cat", "kitty"],
        ["Dog", "Dog"],
        ["Puppy", "Dog"]
      ] as const) {
        assert.deepStrictEqual(reader.resolve(ref(name)).choices, [], name)
        assert.deepStrictEqual(kinds(reader, ref(name)), [[JSON.stringify(kind)]], name)
      }
    }
  )

  it("a parent without alternatives has those that are made of it", () => {
    const reader = readerOf({
      Pet: { type: "object", discriminator: { propertyName: "kind" }, properties: { kind: { type: "string" } } },
      Cat: { allOf: [ref("Pet"), { properties: { lives: {} } }] },
      Dog: { allOf: [ref("Pet")] }
    })
    const [choice] = reader.resolve(ref("Pet")).choices
    assert.deepStrictEqual(
      choice?.options.map(({ schema, kind }) => [reader.nameOf(schema), kind?.values]),
      [
        ["Cat", ["Cat"]],
        ["Dog", ["Dog"]]
      ]
    )
    assert.deepStrictEqual(reader.resolve(ref("Cat")).choices, [])
    // An array of pets is not a pet.
    assert.strictEqual(SchemaTypes.typeText(reader, { type: "array", items: ref("Pet") }), "array of Pet")
  })
})

describe("Types", () => {
  it.each([
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "string", nullable: true }, "string or null"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ oneOf: [{ type: "string" }, { type: "integer", format: "int64" }] }, "string or integer (int64)"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, "array of string or integer"],
    [{ type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }, "object"],
    [{ additionalProperties: { type: "string" } }, "object"],
    [{ enum: [1] }, "enum"],
    [true, "any"],
    [{}, "any"]
  ])("%j is %s", (schema, words) => {
    assert.strictEqual(SchemaTypes.typeText(readerOf({}), schema), words)
  })
})

describe("Types", () => {
  const schemas = {
    Id: { type: "integer", format: "int64" },
    Ids: { type: "array", items: ref("Id") },
    Level: { type: ["integer", "null"], format: "int32", oneOf: [{ const: 1 }, { const: 2 }] },
    Pet: { type: "object", properties: { id: ref("Id") } },
    Owner: { anyOf: [ref("Pet"), { type: "null" }] }
  }
  const typeOf = (schema: unknown) => SchemaTypes.typeText(readerOf(schemas), schema)

  it("name a component, with its type unless that is an object", () => {
    assert.strictEqual(typeOf(ref("Id")), "Id (integer, int64)")
    assert.strictEqual(typeOf({ type: "array", items: ref("Id") }), "array of Id (integer, int64)")
    assert.strictEqual(typeOf(ref("Ids")), "Ids (array of Id (integer, int64))")
    assert.strictEqual(typeOf(ref("Pet")), "Pet")
  })

  it("say that a component may be null", () => {
    assert.strictEqual(typeOf(ref("Level")), "Level (integer, int32) or null")
    assert.strictEqual(typeOf(ref("Owner")), "Owner or null")
  })
})

describe("Parts of a schema", () => {
  const schemas = { User: { type: "object", description: "A user.", properties: { id: { type: "string" } } } }
  const fieldsFor = (schema: unknown) => readerOf(schemas).resolve(schema).fields

  it("describe it before the components that it is made of", () => {
    const inline = { description: "The user who owns this file." }
    assert.strictEqual(fieldsFor({ allOf: [ref("User"), inline] }).description, inline.description)
    assert.strictEqual(fieldsFor({ allOf: [ref("User"), inline], description: "Own." }).description, "Own.")
    const other = { type: "object", description: "A list." }
    assert.strictEqual(fieldsFor({ allOf: [other, ref("User"), inline] }).description, inline.description)
    assert.strictEqual(fieldsFor({ allOf: [ref("User"), other] }).description, "A list.")
    assert.strictEqual(fieldsFor({ allOf: [ref("User"), { nullable: true }] }).description, "A user.")
  })

  it("are described in rows behind what a parameter says itself", () => {
    const texts = (description?: string) =>
      JSON.stringify(SchemaRows.describe(readerOf(schemas), ref("User"), { description }))
        .match(/"text":"[^"]*"/g)
        ?.join(" ")
    assert.strictEqual(texts("Who asks."), '"text":"Who asks." "text":". " "text":"A user."')
    assert.strictEqual(texts("A user."), '"text":"A user."')
    assert.strictEqual(texts(), '"text":"A user."')
  })

  it("give it their examples, unless these are objects", () => {
    const parts = [{ type: "integer" }, { example: 1000 }]
    assert.deepStrictEqual(factsOf({ allOf: parts }), ["example 1000"])
    assert.deepStrictEqual(factsOf({ allOf: [{ type: "object" }, { example: { a: 1 } }] }), [])
  })
})
