/** Tests that operations and schemas are rendered piece by piece, when their HTML is serialized. */
import { assert, describe, it } from "@effect/vitest"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import type { Block } from "@lectern/document/Document"
import { Effect, Scheduler } from "effect"
import { countedTurns } from "../../core/test/storage/CountedTurns.ts"
import { hastily } from "../../core/test/storage/HastyClock.ts"
import * as ApiReference from "../src/api/ApiReference.ts"
import * as Blocks from "../src/document/Blocks.ts"
import * as HtmlChunks from "../src/html/HtmlChunks.ts"
import { everyPart } from "./Drawing.ts"

const count = 150

/** A spec with large schemas. `read`: the number of descriptions that were read. */
const counted = () => {
  const counter = { read: 0 }
  const property = (text: string) => ({
    type: "object",
    get description() {
      counter.read++
      return text
    },
    properties: { [text]: { type: "string", enum: ["a", "b"] } }
  })
  const properties = (name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, property(`${name} ${i} is told here`)]))
  const json = (name: string) => ({
    content: { "application/json": { schema: { type: "object", properties: properties(name) } } }
  })
  const document = {
    openapi: "3.1.0",
    info: { title: "Large", version: "1" },
    paths: {
      "/large": {
        post: {
          parameters: Array.from({ length: count }, (_, i) => ({
            name: `p${i}`,
            in: "query",
            schema: property(`p ${i}`)
          })),
          requestBody: json("sent"),
          responses: {
            200: { description: "Fine", ...json("fine") },
            400: { description: "Bad", content: { "application/json": { schema: { oneOf: [ref("Large")] } } } }
          }
        }
      }
    },
    components: { schemas: { Large: { type: "object", properties: properties("model") } } }
  }
  return { counter, spec: SpecParser.read(document) }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const blocks: Readonly<Record<string, Partial<Block>>> = {
  operation: { type: "openapi-operation", data: { path: "/large", method: "post" } },
  schemas: { type: "openapi-schemas", data: { schemas: ["Large"] } }
}

const drawn = (spec: SpecParser.Spec, block: Partial<Block>) => {
  const api = ApiReference.createRenderer(new Map([["large", { spec }]]))
  const data = { ref: { kind: "openapi", spec: "large" }, ...block.data }
  return Blocks.renderPage({ ...everyPart, api }, [{ object: "block", type: "", key: "k", ...block, data }])
}

describe("The API reference in slices", () => {
  for (const [name, block] of Object.entries(blocks)) {
    it(`renders ${name} only as far as they are serialized`, () => {
      const { counter, spec } = counted()
      const html = drawn(spec, block)
      assert.isBelow(html.prefix(500).length, 20_000)
      assert.isBelow(counter.read, count / 2)
      assert.isAbove(html.text.length, 50_000)
      assert.isAtLeast(counter.read, count)
    })

    it(`pauses while it renders ${name}, and renders the same`, async () => {
      const { spec } = counted()
      const turns = countedTurns()
      const parts = HtmlChunks.serialize(drawn(spec, block))
      const text = (await Effect.runPromise(hastily(Effect.provideService(parts, Scheduler.Scheduler, turns)))).join("")
      assert.strictEqual(text, drawn(spec, block).text)
      assert.isAbove(turns.count, text.length / (2 * 16 * 1024))
    })
  }
})
