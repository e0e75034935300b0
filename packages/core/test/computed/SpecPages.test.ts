/** Pages of a spec, and their content, whatever someone wrote into the spec. */
import type { ComputedDocumentProps, ComputedPages } from "@lectern/core/computed/ComputedSource"
import * as DocumentWriter from "@lectern/core/computed/DocumentWriter"
import * as SchemaTypes from "@lectern/core/computed/SchemaTypes"
import * as SpecOutline from "@lectern/core/computed/SpecOutline"
import * as SpecPages from "@lectern/core/computed/SpecPages"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { SchemaReader } from "@lectern/core/computed/SpecSchema"
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import type { Document } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import { countNodes } from "@lectern/document/DocumentSize"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const source = {
  type: "builtin:openapi",
  dependencies: { spec: { ref: { kind: "openapi", spec: "pets" } } }
} as const

const pets = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "2.1", description: "All about **pets**." },
  servers: [{ url: "https://pets.example.com", description: "The real one" }],
  tags: [
    { name: "pets", description: "Cats and dogs.", "x-page-title": "The pets", "x-page-icon": "paw" },
    { name: "about", description: "Just text." },
    { name: "silent" },
    { name: "hidden", description: "Not shown.", "x-internal": true }
  ],
  paths: {
    "/pets": {
      parameters: [{ name: "limit", in: "query", description: "How many", schema: { type: "integer", default: 10 } }],
      get: { tags: ["pets"], summary: "List pets", responses: { "200": { $ref: "#/components/responses/Pets" } } },
      post: {
        tags: ["pets"],
        operationId: "addPet",
        deprecated: true,
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
        responses: { "201": { description: "Made" } }
      },
      delete: { tags: ["pets"], "x-internal": true, responses: {} }
    },
    "/health": { get: { responses: { default: { description: "Fine" } } } }
  },
  webhooks: { petAdded: { post: { summary: "A pet came", responses: {} } } },
  components: {
    responses: {
      Pets: {
        description: "Some `pets`",
        content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } } }
      }
    },
    schemas: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", description: "What it is **called**" },
          kind: { enum: ["cat", "dog"] },
          mother: { $ref: "#/components/schemas/Pet" },
          owner: { type: "object", properties: { id: { type: "string", format: "uuid" } } }
        }
      },
      Kind: { type: "string", enum: ["cat", "dog"], description: "A kind" },
      Secret: { type: "string", "x-internal": true }
    },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } }
  }
}

const spec = SpecParser.read(pets)
const outline = (props: Partial<ComputedPages["props"]> = {}) => SpecOutline.outline(spec, { models: true, ...props })
const build = (props: ComputedDocumentProps, of = spec) => SpecPages.document(of, props, { source })
const markdownOf = (document: Document) => Markdown.print(document)

describe("SpecOutline", () => {
  it("has a page for each tag that says something, one for each kind without a tag, and the models last", () => {
    assert.deepStrictEqual(
      outline().map(({ title, slug, props }) => [title, slug, props.doc]),
      [
        ["The pets", "the-pets", "operations"],
        ["about", "about", "info"],
        ["Operations", "operations", "operations"],
        ["Webhooks", "webhooks", "operations"],
        ["Models", "models", "models"]
      ]
    )
    assert.lengthOf(outline({ models: false }), 4)
    assert.strictEqual(outline()[0]!.icon, "paw")
  })

  it("reads names of tags and webhooks that other renderers take", () => {
    const { tags } = SpecParser.read({
      openapi: "3.0.3",
      info: pets.info,
      paths: {},
      tags: [{ name: "a", "x-displayName": "All of a" }],
      "x-webhooks": { came: { post: { tags: ["a"], summary: "One came" } } }
    })
    assert.deepStrictEqual(
      tags.map(({ title, operations }) => [title, operations.map(({ method, path }) => `${method} ${path}`)]),
      [["All of a", ["hook came"]]]
    )
  })

  it("has a page for each operation below its tag where that is asked for", () => {
    const pages = outline({ grouping: "by-operation" })
    const [tag, ...others] = pages
    assert.strictEqual(tag!.props.doc, "tag")
    assert.deepStrictEqual(
      others.filter(({ parent }) => parent === tag!.key).map(({ title, props }) => [title, props]),
      [
        ["List pets", { doc: "operation", page: "/pets", method: "get" }],
        ["addPet", { doc: "operation", page: "/pets", method: "post", deprecated: true }]
      ]
    )
  })

  it("gives every page a key and, among its siblings, a slug of its own", () => {
    const many = SpecParser.read({
      tags: ["A", "a", "Á", "models", "Models!"].map((name) => ({ name, description: "x" })),
      paths: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`/p${i}`, { get: { tags: ["A"], summary: "Same" } }])
      ),
      components: { schemas: { X: {} } }
    })
    const pages = SpecOutline.outline(many, { models: true, grouping: "by-operation" })
    assert.lengthOf(pages, SpecOutline.maxPages)
    assert.strictEqual(pages.at(-1)!.props.doc, "models")
    assert.strictEqual(new Set(pages.map(({ key }) => key)).size, pages.length)
    assert.strictEqual(new Set(pages.map(({ parent, slug }) => `${parent}/${slug}`)).size, pages.length)
  })
})

describe("SpecPages", () => {
  it.effect("the page of a tag shows its operations, with what readers draw themselves", () =>
    Effect.gen(function* () {
      const document = yield* build({ doc: "operations", page: "pets" })
      const blocks = document.nodes.filter(({ type }) => type === "openapi-operation")
      assert.deepStrictEqual(
        blocks.map(({ data }) => data),
        [
          { ref: { kind: "openapi", spec: "pets" }, path: "/pets", method: "get" },
          { ref: { kind: "openapi", spec: "pets" }, path: "/pets", method: "post" }
        ]
      )
      const text = markdownOf(document)
      for (const said of [
        "Cats and dogs.",
        "## List pets",
        "`GET /pets`",
        "`limit`",
        "How many",
        "Some `pets`",
        "What it is **called**"
      ]) {
        assert.include(text, said)
      }
      for (const said of ["array of Pet", "`owner.id`", "string (uuid)", "deprecated", "`application/json`: Pet"]) {
        assert.include(text, said)
      }
      assert.notInclude(text, "DELETE")
      // A pet's mother is a pet: told once.
      assert.notInclude(text, "mother.mother")
    })
  )

  it.effect("the other pages say what they are about", () =>
    Effect.gen(function* () {
      const info = markdownOf(SpecPages.ofSpec(spec, { source, downloadLink: true }))
      for (const said of ["`2.1`", "**pets**", "https://pets.example.com", "`X-Key`", "(/openapi/pets)"]) {
        assert.include(info, said)
      }
      assert.include(markdownOf(yield* build({ doc: "info", page: "about" })), "Just text.")
      assert.include(markdownOf(yield* build({ doc: "info", page: "none" })), "All about")
      assert.include(markdownOf(yield* build({ doc: "tag", page: "pets" })), "| `GET /pets` | List pets |")
      const models = yield* build({ doc: "models" })
      assert.include(markdownOf(models), "## Kind")
      assert.notInclude(JSON.stringify(models), "Secret")
      const hook = yield* build({ doc: "operation", page: "petAdded", method: "hook" })
      assert.deepInclude(hook.nodes[0], { type: "openapi-webhook" })
      const one = yield* build({ doc: "operation", page: "/pets", method: "get" })
      assert.strictEqual(one.nodes[0]!.data!.headless, true)
      for (const gone of [
        { doc: "operation", page: "/none", method: "get" },
        { doc: "operations", page: "none" },
        { doc: "tag", page: "none" }
      ] as const) {
        assert.strictEqual((yield* build(gone)).nodes[0]!.type, "hint")
      }
    })
  )

  it.effect("versions and variables that YAML takes for numbers are shown as they are written", () =>
    Effect.sync(() => {
      const json = `{"info":{"title":"a","version":1.10},"servers":[{"url":"https://x.test:{port}","variables":{"port":{"default":8443,"enum":[8443,443]}}}]}`
      const text = markdownOf(
        SpecPages.ofSpec(SpecParser.read(SpecNumber.parse(json) as SpecParser.Fields), { source })
      )
      for (const said of ["`1.10`", "`{port}`: `8443`, one of `8443`, `443`"]) assert.include(text, said)
    })
  )

  it.effect("what a spec says is text: nothing in it is markup but its descriptions", () =>
    Effect.gen(function* () {
      const hostile = '{% include "/x" %} | a <script>alert(1)</script> [x](javascript:y)\n# no heading'
      const of = SpecParser.read({
        info: { title: hostile, version: hostile },
        tags: [{ name: "t" }],
        paths: {
          [hostile]: {
            get: {
              tags: ["t"],
              summary: hostile,
              parameters: [{ name: hostile, in: hostile, schema: { type: hostile, enum: [hostile] } }],
              responses: { [hostile]: { description: hostile } }
            }
          }
        }
      })
      const document = yield* build({ doc: "operations", page: "t" }, of)
      const types = new Set(document.nodes.map(({ type }) => type))
      assert.deepStrictEqual([...types].sort(), ["heading-1", "heading-2", "openapi-operation", "paragraph", "table"])
      let keys = 0
      const again = Markdown.parse(markdownOf(document), { nextKey: () => `k${++keys}` }).document
      for (const { type } of again.nodes) assert.notInclude(["html", "verbatim", "reusable-content"], type)
    })
  )

  it.effect("schemas within themselves, and very large ones, end", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 30 }, (_, i) => `S${i}`)
      const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
      const schemas = Object.fromEntries(
        names.map((name) => [
          name,
          {
            anyOf: refs,
            allOf: refs,
            items: { anyOf: refs },
            properties: Object.fromEntries(names.map((property) => [property, { oneOf: [...refs, { anyOf: refs }] }]))
          }
        ])
      )
      const loop = { $ref: "#/components/schemas/Loop" }
      const of = SpecParser.read({
        paths: {},
        components: { schemas: { ...schemas, Loop: loop, Lost: { $ref: "#/x" } } }
      })
      const document = yield* build({ doc: "models" }, of)
      assert.isAtMost(countNodes(document.nodes, 10 * DocumentWriter.maxNodes), DocumentWriter.maxNodes + 100)
      const arrays = (depth: number): object =>
        depth === 0 ? {} : { type: Array.from({ length: 20 }, () => "array"), items: arrays(depth - 1) }
      assert.strictEqual(SchemaTypes.typeText(new SchemaReader(of), arrays(3)), "array of array of array of any")
      const description = `${"*".repeat(50_000)}\n\n`.repeat(20)
      const long = SpecParser.read({
        tags: Array.from({ length: 3 }, (_, i) => ({ name: `t${i}`, description })),
        paths: {}
      })
      assert.include(JSON.stringify(yield* build({ doc: "info", page: "t0" }, long)), "This page shows only a part")
    })
  )

  it.effect("a spec of any JSON at all is shown without a failure, as a document", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), async (one, other) => {
          const of = SpecParser.read({
            info: one,
            servers: [one, other],
            tags: [one, { name: "t", description: other }],
            paths: {
              "/p": { parameters: one, get: { tags: ["t"], requestBody: other, responses: { "200": one } }, put: one }
            },
            webhooks: other,
            components: {
              schemas: { A: one, B: { properties: { x: other, y: one } } },
              securitySchemes: { s: one, t: other }
            }
          } as SpecParser.Fields)
          const pages = SpecOutline.outline(of, { models: true, grouping: "by-operation" })
          const documents = [SpecPages.ofSpec(of, { source, downloadLink: true })]
          for (const { props } of pages) documents.push(await Effect.runPromise(build(props, of)))
          documents.push(await Effect.runPromise(build({ doc: "operations", page: "t" }, of)))
          for (const document of documents) {
            let keys = 0
            assert.isTrue(Result.isSuccess(normalizeDocument(document, () => `n${++keys}`)))
            assert.strictEqual(keys, 0)
            markdownOf(document)
          }
        }),
        runs(200)
      )
    )
  )
})
