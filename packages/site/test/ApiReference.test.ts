/** Operations and schemas of specifications, as readers of a site see them. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Block } from "@lectern/document/Document"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { createSpec, ofSpecs, processed } from "../../http/test/OpenApiSteps.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import * as ApiReference from "../src/api/ApiReference.ts"
import * as Blocks from "../src/document/Blocks.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"
import { ref, specOf } from "./ApiSpecs.ts"
import { clientOf } from "./McpClient.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1))`

const json = (schema: object) => ({ content: { "application/json": { schema } } })

const drawn = (document: object, blocks: ReadonlyArray<Partial<Block>>, times = 1): string => {
  const specs = new Map([["pets", { spec: SpecParser.read(document as SpecParser.Fields) }]])
  const parts = {
    targetOf: () => undefined,
    messages: LocalizedMessages.messagesFor("en"),
    highlight: () => undefined,
    formula: () => undefined,
    icon: () => undefined,
    integration: () => undefined,
    api: ApiReference.createRenderer(specs),
    opensNewWindows: false,
    theme: {}
  }
  const nodes = blocks.map((block, i): Block => ({
    object: "block",
    type: "openapi-operation",
    key: `k${i}`,
    nodes: [],
    ...block
  }))
  let text = ""
  for (let i = 0; i < times; i++) text = Blocks.createBlockRenderer(parts).blocks(nodes).text
  return text
}

const spec = { kind: "openapi", spec: "pets" } as const
const operation = (path: string, method: string) => ({ data: { ref: spec, path, method } })

describe("The API reference", () => {
  it("draws what an operation takes and answers, and how to call it", () => {
    const document = specOf(
      {
        "/pets/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" }, example: "a b" }],
          put: {
            summary: "Change a pet",
            deprecated: true,
            security: [{ key: [] }, { sign: ["write"] }],
            parameters: [
              { name: "dry", in: "query", required: true, schema: { type: "boolean" } },
              { name: "X-Old", in: "header", deprecated: true, schema: { type: "integer", minimum: 1, maximum: 5 } }
            ],
            requestBody: json(ref("Pet")),
            responses: { 200: { description: "Changed", ...json(ref("Pet")) }, 404: { description: "None" } }
          }
        }
      },
      {
        Pet: {
          allOf: [ref("Named"), { properties: { kind: { oneOf: [ref("Cat"), { type: "null" }] } } }]
        },
        Named: {
          required: ["name"],
          properties: {
            name: { type: "string", enum: ["Tom", "Rex"], default: "Tom" },
            id: { type: "string", readOnly: true },
            secret: { type: "string", writeOnly: true }
          }
        },
        Cat: { type: "object", properties: { indoor: { type: "boolean" } } }
      },
      {
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "header", name: "X-Key" },
            sign: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://example.com/in", scopes: {} } } }
          }
        }
      }
    )
    const text = drawn(document, [operation("/pets/{id}", "put")])
    for (const part of ["PUT", "<b>{id}</b>", "deprecated", "X-Key", "https://example.com/in", "1–5", "Changed"]) {
      assert.include(text, part)
    }
    assert.include(text, "curl -X PUT &#39;https://eu.example.com/v1/pets/a%20b?dry=true&#39;")
    for (const title of ["curl", "JavaScript", "Python", "Go", "PHP"]) assert.include(text, `<span>${title}</span>`)
    const [sent = "", answered = ""] = text.split("<h3>Responses</h3>")
    assert.include(sent, "<code>secret</code>")
    assert.notInclude(sent, '<code>id</code> <span class="api-type">string</span></div>')
    assert.include(answered, "<code>id</code>")
    assert.notInclude(answered, "<code>secret</code>")
    assert.include(answered, `<details class="api-option"><summary><code>Cat</code>`)
    assert.include(sent, `&quot;Tom&quot;`)
  })

  it("draws what a call may hold, answers and causes: items, examples, headers, links, callbacks, scopes", () => {
    const document = specOf(
      {
        "/pets": {
          post: {
            security: [{ sign: ["pets:write"] }],
            servers: [{ url: "https://{zone}.test", variables: { zone: { default: "a", enum: ["a", "b"] } } }],
            parameters: [
              {
                name: "kinds",
                in: "query",
                schema: {
                  type: "array",
                  minItems: 1,
                  items: {
                    type: "array",
                    items: { type: "integer", description: "One kind", minimum: 3, enum: [3, 7] }
                  }
                },
                examples: { few: { summary: "Just one", value: [[3]] }, away: { externalValue: "https://x.test/e" } }
              }
            ],
            requestBody: json({
              type: "object",
              properties: { at: { prefixItems: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }] } },
              patternProperties: { "^x-": { type: "boolean" } },
              not: { required: ["bad"], properties: { bad: { const: 13 } } },
              if: { properties: { kind: { const: "cat" } } },
              ...(JSON.parse('{"then":{"properties":{"lives":{"maximum":9}}}}') as object)
            }),
            responses: {
              200: {
                description: "Fine",
                headers: {
                  "X-Left": { description: "Calls left", schema: { type: "integer", multipleOf: 5 }, example: 10 }
                },
                links: { next: { operationId: "getPet", parameters: { id: "$response.body#/id" } } },
                content: {
                  "application/json": { examples: { one: { summary: "A cat", value: { a: 1 } }, two: { value: 2 } } }
                }
              }
            },
            callbacks: {
              onPet: {
                "{$request.body#/url}": {
                  post: {
                    requestBody: json({ properties: { event: {} } }),
                    responses: { 204: { description: "Heard" } }
                  }
                }
              }
            }
          }
        }
      },
      {},
      {
        components: {
          securitySchemes: {
            sign: { type: "oauth2", flows: { implicit: { scopes: { "pets:write": "Change pets" } } } }
          }
        }
      }
    )
    const text = drawn(document, [operation("/pets", "post")])
    for (const part of [
      "<code>≥ 1 items</code>",
      "items[] · <code>≥ 3</code>",
      "One kind",
      "<code>3</code> <code>7</code>",
      "(few: Just one): <code>[[3]]</code>",
      "https://x.test/e",
      "<code>[0]</code>",
      "&gt; 0",
      "/^x-/",
      "<code>not</code>",
      "<code>13</code>",
      "<code>then</code>",
      "≤ 9",
      "Calls left",
      "× 5",
      "getPet",
      "$response.body#/id",
      "A cat",
      "onPet",
      "{$request.body#/url}",
      "<code>event</code>",
      "Heard",
      "Change pets",
      "<code>{zone}</code> <code>a</code> <code>b</code>"
    ]) {
      assert.include(text, part)
    }
  })

  it("draws the base URL at the path, and an answer of each status behind the calls", () => {
    const answer = (example: string) => ({ content: { "application/json": { schema: {}, example } } })
    const responses = {
      200: { description: "Fine", ...answer("first") },
      404: { description: "Gone", ...answer("second") },
      204: { description: "Nothing" }
    }
    const plain = specOf({ "/pets": { get: { responses } } }, {}, { servers: [{ url: "https://pets.test/v1/" }] })
    const text = drawn(plain, [operation("/pets", "get")])
    assert.include(text, `<code><span class="api-base">https://pets.test/v1</span>/pets</code>`)
    assert.notInclude(text, "Servers")
    const samples = /<div class="api-samples">([^]*?)<div class="api-section">/.exec(text)![1]!
    assert.match(samples, /curl[^]*Responses[^]*200[^]*first[^]*404[^]*second/)
    assert.strictEqual(text.split("second").length, 2)
    const several = [{ url: "https://a.test", description: "Near" }, { url: "https://b.test" }]
    assert.include(
      drawn(specOf({ "/pets": { get: {} } }, {}, { servers: several }), [operation("/pets", "get")]),
      "Servers"
    )
  })

  it("draws the Markdown of short descriptions, without what leads away from a summary", () => {
    const responses = { 200: { description: "The `id` of **it**, see [here](https://example.com)" } }
    const text = drawn(specOf({ "/pets": { get: { responses } } }), [operation("/pets", "get")])
    assert.include(text, "<span>The <code>id</code> of <strong>it</strong>, see here</span>")
  })

  it("draws the description of a parameter, and that of its schema", () => {
    const parameters = ["query", "header"].map((place) => ({
      name: place,
      in: place,
      description: `Of the ${place}.`,
      schema: ref("Cursor")
    }))
    const text = drawn(
      specOf(
        { "/a": { get: { parameters, responses: {} } } },
        { Cursor: { type: "string", description: "A *cursor*." } }
      ),
      [operation("/a", "get")]
    )
    assert.match(text, /Of the query\..*A <em>cursor<\/em>\..*Of the header\..*A <em>cursor<\/em>\./s)
    assert.include(text, "Cursor (string)")
  })

  it("draws responses behind a large one, and many descriptions", () => {
    const tree = (depth: number): object => ({
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [`p${i}`, depth === 0 ? { type: "string" } : tree(depth - 1)])
      )
    })
    const long = "A long description. ".repeat(25)
    const many = Object.fromEntries(
      Array.from({ length: 190 }, (_, i) => [`m${i}`, { type: "string", description: `${long}${i} ends` }])
    )
    const responses = {
      200: { description: "Fine", ...json(tree(5)) },
      400: { description: "Bad", ...json({ type: "object", properties: { why: { properties: { last: {} } } } }) },
      401: { description: "Bad", ...json({ type: "object", properties: many }) },
      402: { description: "Bad", ...json({ type: "object", properties: many }) }
    }
    const text = drawn(specOf({ "/a": { get: { responses } } }), [operation("/a", "get")])
    assert.include(text, "<code>last</code>")
    assert.strictEqual(text.match(/189 ends/g)?.length, 2)
  })

  it("unfolds no schema within itself, and ends where a spec goes in circles", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `s${i}`,
        {
          properties: Object.fromEntries(Array.from({ length: 30 }, (_, j) => [`p${j}`, ref(`s${(i * 7 + j) % 200}`)]))
        }
      ])
    )
    const document = specOf(
      {
        "/a": { post: { requestBody: json(ref("Tree")), responses: { 200: { description: "x", ...json(ref("s0")) } } } }
      },
      {
        ...wide,
        Tree: { type: "object", properties: { children: { type: "array", items: ref("Tree") }, loop: ref("one") } },
        one: ref("two"),
        two: ref("one"),
        all: { allOf: [ref("all"), { oneOf: [ref("all")] }] }
      }
    )
    const text = drawn(document, [operation("/a", "post")])
    assert.include(text, "as above")
    assert.isBelow(text.length, 2_000_000)
    const block = { type: "openapi-schemas", data: { ref: spec, schemas: ["all", "one", "Tree", "nothing"] } }
    assert.include(drawn(document, [block]), "<code>Tree</code>")
    assert.strictEqual(drawn(document, [block], 3), drawn(document, [block]))
  })

  it("draws a page of thousands of operations within bounds", () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`/p${i}`, { get: { responses: { 200: { description: "x" } } } }])
    )
    const text = drawn(
      specOf(paths),
      Array.from({ length: 5_000 }, (_, i) => operation(`/p${i}`, "get"))
    )
    assert.include(text, "/p4999")
    assert.isBelow(text.length, 2_000_000)
  })

  it("runs nothing that a spec holds, wherever it stands", () => {
    const document = specOf(
      {
        [`/${hostile}`]: {
          post: {
            summary: hostile,
            description: hostile,
            servers: [{ url: `javascript:${hostile}`, description: hostile }],
            parameters: [
              { name: hostile, in: "query", required: true, description: hostile, schema: { enum: [hostile] } }
            ],
            requestBody: {
              description: hostile,
              ...json({ title: hostile, properties: { [hostile]: { pattern: hostile } } })
            },
            responses: { 200: { description: hostile, ...json({ oneOf: [{ title: hostile, example: hostile }] }) } },
            "x-codeSamples": [{ lang: hostile, label: hostile, source: hostile }]
          }
        }
      },
      {},
      {
        components: { securitySchemes: { [hostile]: { type: "http", scheme: hostile, description: hostile } } },
        security: [{ [hostile]: [hostile] }]
      }
    )
    const text = drawn(document, [operation(`/${hostile}`, "post")])
    assert.include(text, "api-head")
    assert.notMatch(text, /<script|<img|href="javascript|<[^>]* on\w+=/i)
  })

  it("draws nothing of what is no spec, and says the method and path all the same", () => {
    for (const [path, method] of [
      ["/nothing", "get"],
      ["constructor", "get"],
      ["/a", "__proto__"]
    ] as const) {
      assert.include(drawn(specOf({ "/a": { get: {} } }), [operation(path, method)]), path)
    }
  })
})

describe("Its words", () => {
  it("are there in each language of the interface", () => {
    for (const language of LocalizedMessages.languages.filter((one) => one !== "en")) {
      assert.notDeepEqual(
        LocalizedMessages.messagesFor(language).api,
        LocalizedMessages.messagesFor("en").api,
        language
      )
    }
  })
})

onMemory("Computed pages of a site", (it) => {
  it.effect("show each operation once, of a spec that its readers may see", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const document = specOf(
        {
          "/pets": {
            get: {
              tags: ["Pets"],
              summary: "List pets",
              description: "All of them <img src=x onerror=alert(1)>",
              responses: { 200: { description: "Some", ...json(ref("Pet")) } }
            }
          }
        },
        { Pet: { type: "object", properties: { name: { type: "string" } } } }
      )
      const { id } = yield* createSpec("pets", JSON.stringify(document))
      yield* processed(id)
      yield* ofSpecs("PATCH", "/pets", { visibility: "public" })
      const space = yield* createSpace({ title: "API" })
      yield* publish(space.id, [
        insertPage(
          "Start",
          `{% openapi-operation spec="pets" path="/pets" method="get" %}\n\n{% endopenapi-operation %}`
        ),
        {
          operation: "insert_page",
          type: "computed",
          title: "Reference",
          computed: { type: "builtin:openapi", dependencies: { spec: { ref: spec } }, props: { models: true } }
        }
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      for (const path of ["", "reference/pets"]) {
        const { text } = yield* ask(base + path).pipe(hasStatus(200))
        assert.strictEqual(text.match(/class="api-head"/g)?.length, 1)
        assert.notInclude(text, "<th")
      }
      assert.include((yield* ask(`${base}reference/models`)).text, "<code>name</code>")
      const { text: asMarkdown } = yield* ask(`${base}reference/pets.md`).pipe(hasStatus(200))
      assert.include(asMarkdown, "GET /pets")
      const { call } = yield* clientOf(base)
      const { found } = yield* call("getOperation", { method: "GET", path: "/pets" })
      assert.deepInclude(found, { title: "List pets", spec: "pets" })
      assert.notMatch(found.markdown!, /(?<!\\)<img/)
      assert.match(found.markdown!, /GET \/pets[^]*## Responses/)
      assert.isTrue((yield* call("getOperation", { method: "put", path: "/pets" })).isError)
      yield* ofSpecs("PATCH", "/pets", { visibility: "private" })
      assert.isTrue((yield* call("getOperation", { method: "get", path: "/pets" })).isError)
      const { text: hidden } = yield* ask(base).pipe(hasStatus(200))
      assert.notInclude(hidden, "api-head")
    })
  )
})

describe("Specifications that a page names", () => {
  it.effect("are found in a document of any length", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 200_000 }, (_, i): Block => ({
        object: "block",
        type: "code-line",
        key: `l${i}`
      }))
      const code: Block = { object: "block", type: "code", key: "code", nodes: lines }
      const { loaded, isComplete } = yield* ApiReference.load(
        {} as ApiReference.Services,
        { space: { organization: "o" } } as never,
        { object: "document", data: {}, nodes: [code] }
      ).pipe(Effect.provideService(CurrentActor, host))
      assert.deepStrictEqual([loaded.size, isComplete], [0, true])
    })
  )
})
