/** Examples of schemas, and samples of requests in several languages. */
import { assert, describe, it } from "@effect/vitest"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { SchemaReader } from "@lectern/core/computed/SpecSchema"
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import * as Examples from "../src/api/Examples.ts"
import * as SampleCall from "../src/api/SampleCall.ts"
import * as CodeSamples from "../src/api/CodeSamples.ts"
import { ref, specOf } from "./ApiSpecs.ts"

describe("Examples", () => {
  it("are what a schema allows", () => {
    const read = new SchemaReader(
      SpecParser.read(
        specOf({}, { Node: { properties: { name: { type: "string" }, next: ref("Node") } } }) as SpecParser.Fields
      )
    )
    assert.deepStrictEqual(Examples.exampleValue(read, ref("Node"), "request"), { name: "text" })
    const pair = { required: ["b"], properties: { a: { const: 1 }, b: { const: 2 } } }
    assert.deepStrictEqual(Examples.exampleValue(read, pair, "request"), { a: 1, b: 2 })
    assert.deepStrictEqual(Examples.exampleValue(read, pair, "request", { onlyRequired: true }), { b: 2 })
    assert.deepStrictEqual(
      Examples.exampleValue(
        read,
        {
          properties: {
            at: { type: "string", format: "date" },
            lasts: { type: "string", format: "duration" },
            all: { type: "array", items: { type: "integer", minimum: 3 } },
            id: { type: "string", readOnly: true },
            one: { oneOf: [{ const: 7 }, {}] }
          }
        },
        "request"
      ),
      { at: "2026-01-31", lasts: "PT1H", all: [3], one: 7 }
    )
  })

  it("have texts of the length that is allowed", () => {
    const read = new SchemaReader(SpecParser.read(specOf({}) as SpecParser.Fields))
    const of = (schema: object) => Examples.exampleValue(read, { type: "string", ...schema }, "request")
    assert.strictEqual(of({ minLength: 10 }), "texttextte")
    assert.strictEqual(of({ maxLength: 2 }), "te")
    assert.strictEqual(of({ minLength: 1e12 }), "text".repeat(250))
  })

  it("leave out an object if a property that it requires is beyond a limit", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `Level${i}`,
        { type: "object", required: ["next"], properties: { next: i < 11 ? ref(`Level${i + 1}`) : { type: "string" } } }
      ])
    )
    const Top = {
      type: "object",
      properties: { name: { type: "string" }, deep: ref("Level0"), all: { type: "array", items: ref("Level0") } }
    }
    const read = new SchemaReader(SpecParser.read(specOf({}, { ...chain, Top }) as SpecParser.Fields))
    assert.deepStrictEqual(Examples.exampleValue(read, ref("Top"), "request"), { name: "text", all: [] })
    assert.deepStrictEqual(Examples.exampleValue(read, ref("Level9"), "request"), { next: { next: { next: "text" } } })
  })
})

describe("Samples", () => {
  it("keep whatever is in a call in its place, in each language", () => {
    const text = `a'b"c\\d\n$(x)\`y\``
    const call = {
      method: "POST",
      url: `https://example.com/${text}`,
      headers: [["X", text]] as const,
      body: { kind: "text", text } as const
    }
    const [curl, javascript, python, go, php] = CodeSamples.samplesFor(call, {}).map((sample) => sample.text)
    assert.include(curl, `-d 'a'\\''b"c\\d\n$(x)\`y\`'`)
    const quoted = JSON.stringify(text)
    for (const one of [javascript, python, go]) assert.include(one, quoted)
    assert.include(php, `'a\\'b"c\\\\d\n$(x)\`y\`'`)
    const own = CodeSamples.samplesFor(call, {
      "x-codeSamples": [{ lang: "Python", source: "mine" }, null, { lang: 1, source: 2 }]
    })
    assert.deepStrictEqual(
      own.map(({ title }) => title),
      ["Python", "curl", "JavaScript", "Go", "PHP"]
    )
    assert.strictEqual(own[0]?.text, "mine")
  })
})

describe("Bodies of samples", () => {
  const samplesOf = (content: object) => {
    const document = specOf(
      { "/a": { post: { requestBody: { content }, responses: {} } } },
      {
        Pet: {
          type: "object",
          xml: { name: "pet", namespace: "https://pets.test", prefix: "p" },
          properties: {
            id: { const: 1, xml: { attribute: true } },
            names: {
              type: "array",
              xml: { wrapped: true, name: "names" },
              items: { type: "string", xml: { name: "name" } }
            },
            tags: { type: "array", items: { const: "a<b" } }
          }
        }
      }
    )
    const spec = SpecParser.read(document as SpecParser.Fields)
    const [found] = spec.tags[0]!.operations
    const call = SampleCall.sampleCallOf({ spec, reader: new SchemaReader(spec) } as never, found!)
    return Object.fromEntries(CodeSamples.samplesFor(call, {}).map(({ title, text }) => [title, text]))
  }
  const fields = {
    type: "object",
    properties: { file: { type: "string", format: "binary" }, note: { const: "@a & b" }, ids: { const: [1, 2] } }
  }

  it("go to a whole URL, whatever the servers of the spec are", () => {
    const urlOf = (...servers: ReadonlyArray<string>) => {
      const spec = SpecParser.read({
        ...specOf({ "/pets": { get: {} } }),
        servers: servers.map((url) => ({ url }))
      } as SpecParser.Fields)
      const drawing = { spec, reader: new SchemaReader(spec) } as Parameters<typeof SampleCall.sampleCallOf>[0]
      return SampleCall.sampleCallOf(drawing, spec.tags[0]!.operations[0]!).url
    }
    assert.strictEqual(urlOf("//pets.example.org/v2"), "https://pets.example.org/v2/pets")
    assert.strictEqual(urlOf("/v2"), "https://api.example.com/v2/pets")
    assert.strictEqual(urlOf("http://pets.example.org/"), "http://pets.example.org/pets")
    assert.strictEqual(urlOf(), "https://api.example.com/pets")
  })

  it("name the method of curl where curl would take another", () => {
    const call = { url: "https://example.com/", headers: [] }
    const curlOf = (method: string, more = {}) => CodeSamples.samplesFor({ ...call, method, ...more }, {})[0]!.text
    assert.strictEqual(curlOf("GET"), "curl 'https://example.com/'")
    assert.match(curlOf("GET", { body: { kind: "text", text: "{}" } }), /^curl -X GET /)
    assert.strictEqual(curlOf("HEAD"), "curl --head 'https://example.com/'")
  })

  it("are forms with files", () => {
    const { curl, JavaScript, Python, Go, PHP } = samplesOf({ "multipart/form-data": { schema: fields } })
    for (const part of ["-F 'file=@file'", "--form-string 'note=@a & b'", "--form-string 'ids=2'"])
      assert.include(curl, part)
    assert.notInclude(curl, "Content-Type")
    assert.include(JavaScript, 'form.append("file", file)')
    assert.include(JavaScript, 'form.append("note", "@a & b")')
    assert.include(Python, 'files=[\n        ("file", open("file", "rb"))')
    assert.include(Python, '("note", "@a & b")')
    assert.include(Go, 'writer.CreateFormFile("file", "file")')
    assert.include(PHP, "'file' => new CURLFile('file')")
  })

  it("are encoded fields", () => {
    const { curl, JavaScript, Python, Go } = samplesOf({
      "application/x-www-form-urlencoded": { schema: { properties: { note: { const: "a & b" } } } }
    })
    assert.include(curl, "--data-urlencode 'note=a & b'")
    assert.include(JavaScript, 'new URLSearchParams([\n    ["note", "a & b"]')
    assert.include(Python, 'data=[\n        ("note", "a & b")')
    assert.include(Go, "note=a+%26+b")
  })

  it("are XML by the names of the schema", () => {
    const xml = [
      '<p:pet xmlns:p="https://pets.test" id="1">',
      "  <names>",
      "    <name>text</name>",
      "  </names>",
      "  <tags>a&lt;b</tags>",
      "</p:pet>"
    ].join("\n")
    assert.include(samplesOf({ "application/xml": { schema: ref("Pet") } })["curl"], xml)
  })

  it("are files and text", () => {
    const binary = samplesOf({ "application/octet-stream": { schema: { type: "string", format: "binary" } } })
    assert.include(binary["curl"], "--data-binary @file")
    assert.include(binary["Python"], 'data=open("file", "rb")')
    assert.include(samplesOf({ "image/png": {} })["curl"], "--data-binary @file")
    assert.include(samplesOf({ "text/plain": { example: "Hello" } })["curl"], "-d 'Hello'")
  })

  it("keep numbers that JavaScript would change", () => {
    const content = SpecNumber.parse('{"application/json":{"example":{"id":9223372036854775807}}}') as object
    const samples = samplesOf(content)
    assert.include(samples["curl"], '"id": 9223372036854775807')
    assert.include(samples["JavaScript"], '\\"id\\": 9223372036854775807')
  })
})
