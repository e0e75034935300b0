/** Texts that are specs and texts that are none; no text takes more than it should. */
import { assert, describe, it } from "@effect/vitest"
import { read } from "@lectern/core/openapi/SpecText"
import { Result } from "effect"
import * as fc from "fast-check"
import { billionLaughs, info, small, swagger, yaml } from "./SpecTexts.ts"
import { runs } from "../Runs.ts"

const encoder = new TextEncoder()

const reading = (text: string | object | Uint8Array) =>
  read(text instanceof Uint8Array ? text : encoder.encode(typeof text === "string" ? text : JSON.stringify(text)))

const accepted = (text: string | object) => {
  const result = reading(text)
  if (Result.isFailure(result)) throw new Error(result.failure.messages.join("\n"))
  const { document, warnings, warningCount, ...rest } = result.success
  assert.strictEqual(warnings.length, Math.min(20, warningCount))
  return { ...rest, document: JSON.parse(new TextDecoder().decode(document)) }
}

const refusal = (text: string | object | Uint8Array): string => {
  const result = reading(text)
  if (Result.isSuccess(result)) throw new Error("It was accepted")
  assert.strictEqual(result.failure.messages.length, Math.min(20, result.failure.count))
  return result.failure.messages.join("\n")
}

describe("A spec", () => {
  it.each(["3.0.3", "3.1.0", "3.2.0"])("is OpenAPI %s", (version) => {
    assert.deepStrictEqual(accepted(small("Pets", version)), {
      format: "json",
      version,
      document: { openapi: version, info, paths: {} }
    })
  })

  it("may be YAML, and begin with a mark of its encoding", () => {
    for (const text of [yaml, `\uFEFF${yaml}`, `--- # A comment\n${yaml}`]) {
      assert.deepStrictEqual(accepted(text), {
        format: "yaml",
        version: "3.0.3",
        document: { openapi: "3.0.3", info, paths: {} }
      })
    }
    assert.strictEqual(accepted(`\uFEFF${small()}`).format, "json")
  })

  it("may use an anchor many times", () => {
    const uses = Array.from({ length: 500 }, (_, i) => `  t${i}: *pet`).join("\n")
    const { document } = accepted(
      `${yaml}x-pet: &pet {type: object}\ncomponents:\n  schemas:\n${uses.replaceAll("  t", "    t")}\n`
    )
    assert.deepStrictEqual(document.components.schemas.t499, { type: "object" })
  })

  it("may refer to itself, and hold data that looks like a reference", () => {
    const schemas = { Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } } }
    const example = { $ref: "../elsewhere.yaml" }
    accepted({ openapi: "3.0.3", info, paths: {}, components: { schemas: { ...schemas, Other: { example } } } })
    // A property called properties is one, and what it is by default is data.
    const properties = { properties: { type: "object", default: { value: example } } }
    accepted({ openapi: "3.0.3", info, paths: {}, components: { schemas: { Odd: { type: "object", properties } } } })
  })

  it("is upgraded from Swagger 2.0", () => {
    const { version, document } = accepted(swagger)
    assert.match(version, /^3\.0\./)
    assert.deepStrictEqual(document.servers, [{ url: "https://api.example.com/v1" }])
    const { get, put, post, patch, parameters } = document.paths["/pets"]
    assert.deepStrictEqual(parameters, [{ $ref: "#/components/parameters/Limit" }])
    assert.deepStrictEqual(get.responses[200].content["application/json"].schema.items, {
      $ref: "#/components/schemas/Pet"
    })
    assert.isUndefined(put.parameters)
    assert.deepStrictEqual(put.requestBody.content["application/json"].schema, { $ref: "#/components/schemas/Pet" })
    assert.deepStrictEqual(Object.keys(post.requestBody.content["multipart/form-data"].schema.properties), [
      "photo",
      "name"
    ])
    assert.isDefined(patch.requestBody.content["application/x-www-form-urlencoded"])
    assert.deepStrictEqual(document.components.securitySchemes.basic, { type: "http", scheme: "basic" })
    assert.deepStrictEqual(document["x-more"], { kept: true })
  })
})

const warnings = (text: string | object): ReadonlyArray<string> => {
  const result = reading(text)
  if (Result.isFailure(result)) throw new Error(result.failure.messages.join("\n"))
  return result.success.warnings.map(({ message, path, line, column }) => `${line}:${column} ${path} ${message}`)
}

describe("What is otherwise than OpenAPI says", () => {
  const cases: ReadonlyArray<readonly [string, string | object, RegExp]> = [
    ["a response without a description", withResponse("200", {}), /\/responses\/200 The response has no `description`/],
    [
      "a version that is a number",
      "openapi: 3.1\ninfo: {title: a, version: '1'}\npaths: {}",
      /^1:1 \/openapi `openapi`/
    ],
    ["a version without its last number", { openapi: "3.0", info, paths: {} }, /\/openapi `openapi` must be/],
    ["a later version", { openapi: "3.7.0", info, paths: {} }, /3\.7 is read as 3\.2/],
    ["a Swagger that is a number", `swagger: 2.0\ninfo: {title: a, version: '1'}\npaths: {}`, /`swagger` must be/],
    [
      "a spec without a title",
      { openapi: "3.1.0", info: { version: "1" }, paths: {} },
      /\/info The info has no `title`/
    ],
    ["a spec without anything", { openapi: "3.1.0" }, /The spec has no `info`/],
    [
      "Swagger that is hardly any",
      { swagger: "2.0", info: 5, paths: { "/a": { get: 5, parameters: 7 } } },
      /\/info The info/
    ],
    ["a wrong place of a parameter", withParameter({ name: "a", in: "nowhere", schema: {} }), /parameters\/0\/in `in`/],
    [
      "a bound that is no number",
      withProperty("a", { minimum: "1" }),
      /properties\/a\/minimum `minimum` must be a number/
    ],
    [
      "an unknown field",
      withResponse("200", { description: "", body: {} }),
      /200\/body .*`body` that OpenAPI does not know/
    ],
    [
      "a reference to nothing",
      withParameter({ $ref: "#/components/parameters/None" }),
      /\$ref The reference .* leads nowhere/
    ],
    ["a reference to a file", withParameter({ $ref: "./parameters.yaml#/a" }), /parameters\.yaml.*bundle/],
    [
      "a reference of a response by default",
      withResponse("default", { $ref: "errors.yaml#/E" }),
      /errors\.yaml.*bundle/
    ],
    ["a reference of a property called value", withProperty("value", { $ref: "types.yaml#/V" }), /types\.yaml.*bundle/],
    ["a reference of a property called x-id", withProperty("x-id", { $ref: "types.yaml#/X" }), /types\.yaml.*bundle/],
    ["a reference to an absolute file", withParameter({ $ref: "file:///etc/passwd" }), /etc\/passwd.*bundle/],
    ["a reference to another host", withParameter({ $ref: "http://169.254.169.254/" }), /169\.254.*bundle/],
    ["infinity", `${yaml}x-much: .inf`, /^6:1 \/x-much JSON has no number \.inf/],
    ["a key that stands twice", `${yaml}x-a: 1\nx-a: 2\n`, /^7:1 \/x-a "x-a" stands here twice/]
  ]

  it.each(cases)("is a warning: %s", (_, text, message) => {
    assert.match(warnings(text).join("\n"), message)
  })

  it("is told of with its line, in JSON and in YAML", () => {
    const json = JSON.stringify(withResponse("200", { headers: { 'a"}]': {} }, content: [] }), null, 2)
    assert.deepStrictEqual(warnings(json), [
      "11:11 /paths/~1a/get/responses/200 The response has no `description`",
      "15:13 /paths/~1a/get/responses/200/content `content` must be an object"
    ])
    const text = `${yaml.replace("paths: {}", "paths:")}  /a:\n    get:\n      responses:\n        200: &r {}\n        201: *r\n        202:\n          - x\n`
    assert.deepStrictEqual(warnings(text), [
      "9:9 /paths/~1a/get/responses/200 The response has no `description`",
      "11:9 /paths/~1a/get/responses/202 The response must be an object"
    ])
  })

  it("is counted where there is much of it", () => {
    const responses = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [200 + i, {}]))
    const result = reading({ openapi: "3.0.3", info, paths: { "/a": { get: { responses } } } })
    assert.isTrue(
      Result.isSuccess(result) && result.success.warningCount === 50 && result.success.warnings.length === 20
    )
  })
})

describe("Numbers", () => {
  const numbers = ["9223372036854775807", "1.0", "0.10", "1e400", "-0"]

  it.each(numbers)("%s stays as it is written", (number) => {
    const stored = (text: string) => {
      const result = reading(text)
      return Result.isSuccess(result) ? new TextDecoder().decode(result.success.document) : ""
    }
    const json = `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"x-a":[${number}]}`
    assert.strictEqual(stored(json), json)
    assert.include(stored(`\uFEFF${json}`), `[${number}]`)
    assert.include(stored(`${yaml}x-a: [${number}]\n`), `[${number}]`)
    const swagger = `{"swagger":"2.0","info":{"title":"a","version":"1"},"paths":{},"definitions":{"A":{"type":"number","maximum":${number}}}}`
    assert.include(stored(swagger), `"maximum":${number}`)
  })
})

describe("YAML", () => {
  it("merges mappings, and takes numbers for names as they are written", () => {
    const { document } = accepted(`${yaml}x-base: &base {a: 1, b: 2}\nx-a:\n  b: 3\n  <<: *base\n  1.0: x\n`)
    assert.deepStrictEqual(document["x-a"], { b: 3, "1.0": "x", a: 1 })
  })

  it("is JSON with comments as well", () => {
    assert.strictEqual(
      accepted(`{"openapi": "3.0.3", # Which one\n"info": {"title": "a", "version": "1"}, "paths": {},}`).format,
      "yaml"
    )
  })
})

describe("What is no spec", () => {
  const cases: ReadonlyArray<readonly [string, string | object | Uint8Array, RegExp]> = [
    ["nothing", "", /empty/],
    ["white space", " \n ", /empty/],
    ["a web page", "<!doctype html><title>Pets</title>", /HTML/],
    ["a sentence", "There is no spec here", /Expected an object/],
    ["a list", "[1]", /Expected an object/],
    ["broken JSON", '{"openapi": "3.1.0",', /not valid JSON/],
    ["broken YAML", "a: [1\nb: }", /not valid YAML/],
    ["bytes that are no text", new Uint8Array([0x7b, 0xff, 0xfe]), /UTF-8/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /UTF-8/],
    ["another version", { openapi: "4.0.0", info, paths: {} }, /Expected the field openapi/],
    ["an old Swagger", { swagger: "1.2", info }, /Expected the field openapi/],
    ["a billion laughs", billionLaughs(), /unfolds/],
    ["an anchor in itself", "a: &a [*a]", /nested deeper|not valid YAML/],
    ["deep JSON", `{"openapi": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /nested deeper/],
    ["deep YAML", `a: ${"[".repeat(20_000)}`, /nested deeper/],
    ["deep YAML in blocks", `${"- ".repeat(20_000)}x`, /nested deeper/],
    ["a prototype", '{"openapi":"3.1.0","__proto__":{"polluted":true}}', /__proto__/],
    ["a prototype in YAML", `${yaml}__proto__: {polluted: true}`, /__proto__/],
    ["two documents", `${yaml}---\n${yaml}`, /not valid YAML/]
  ]

  it.each(cases)("is %s", (_, text, message) => {
    assert.match(refusal(text), message)
    assert.isUndefined(({} as { polluted?: unknown }).polluted)
  })

  it("is told of briefly, whatever it holds", () => {
    const refs = Array.from({ length: 50 }, (_, i) => [`r${i}`, { $ref: `${"x".repeat(2000)}${i}\u0000` }])
    const found = reading({ openapi: "3.1.0", info, components: { schemas: Object.fromEntries(refs) } })
    assert.isTrue(Result.isSuccess(found))
    const told = Result.isSuccess(found) ? found.success.warnings : []
    assert.lengthOf(told, 20)
    const broken = refusal(`a: [${"\u0000".repeat(2_000)}`).split("\n")
    for (const message of [...broken, ...told.flatMap(({ message, path }) => [message, path])]) {
      assert.isAtMost(message.length, 501)
      assert.isTrue(message.isWellFormed() && !message.includes("\u0000"))
    }
  })

  it("never throws, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => encoder.encode(text)),
          fc
            .dictionary(
              fc.constantFrom("info", "paths", "servers", "components", "tags", "definitions"),
              fc.jsonValue()
            )
            .chain((fields) =>
              fc
                .constantFrom({ openapi: "3.0.3" }, { openapi: "3.1.0" }, { swagger: "2.0" })
                .map((head) => encoder.encode(JSON.stringify({ ...head, ...fields })))
            )
        ),
        (bytes) => {
          read(bytes)
        }
      ),
      runs()
    )
  })
})

function withParameter(parameter: object) {
  return {
    openapi: "3.0.3",
    info,
    paths: { "/a": { get: { parameters: [parameter], responses: { 200: { description: "a" } } } } }
  }
}

function withResponse(status: string, response: object) {
  return { openapi: "3.0.3", info, paths: { "/a": { get: { responses: { [status]: response } } } } }
}

function withProperty(name: string, property: object) {
  const schemas = { A: { type: "object", properties: { [name]: property } } }
  return { openapi: "3.0.3", info, paths: {}, components: { schemas } }
}
