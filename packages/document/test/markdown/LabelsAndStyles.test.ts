/** Labels of references in cells, and styles of figures: kept and answered beside; visitors get no style. */
import { Result } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { diff } from "@lectern/document/difference/DocumentDiff"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { problems } from "../wire/HostedVocabulary.ts"
import { keys, parse } from "./laws.ts"

const table = (page: string, files: string, image: string) =>
  `<table><thead><tr><th>Name</th><th data-type="content-ref">Page</th><th data-type="files">Files</th><th data-type="image">Image</th></tr></thead><tbody><tr><td>a</td><td>${page}</td><td>${files}</td><td>${image}</td></tr></tbody></table>`
const labelled = table(
  '<a href="/pages/p1">Opening &lt;hours&gt;</a>',
  '<a href="/files/f1">/files/f1</a>, <a href="/files/f2">Prices</a>, <a href="/spaces/s/files/f3">Ours</a>',
  '<a href="/files/f4">A map</a>'
)
const bare = table(
  '<a href="/pages/p1">/pages/p1</a>',
  '<a href="/files/f1">/files/f1</a>, <a href="/files/f2">/files/f2</a>, <a href="/spaces/s/files/f3">/spaces/s/files/f3</a>',
  '<a href="/files/f4">/files/f4</a>'
)
const styled = '<figure style="max-width: 50%"><img src="/files/f1" alt=""><figcaption></figcaption></figure>'

const wire = (value: unknown) => JSON.parse(JSON.stringify(value))

describe("labels of references in cells", () => {
  it("are written as they were read", () => {
    for (const text of [labelled, bare]) {
      assert.strictEqual(Markdown.print(parse(text).document), `${text}\n`)
    }
  })

  it("stand beside the document that is answered, and are sent back with it", () => {
    const { document } = parse(labelled)
    const answered = wire(WireDocument.encode(document))
    assert.deepStrictEqual([...problems(answered)], [])
    const { values } = answered.nodes[0].data.records.r1
    assert.deepStrictEqual(values.c2, { kind: "page", page: "p1" })
    assert.deepStrictEqual(values.c4, { kind: "file", file: "f4" })
    assert.deepStrictEqual(answered.nodes[0].written.labels, {
      r1: { c2: "Opening <hours>", c3: [null, "Prices", "Ours"], c4: "A map" }
    })
    const sent = Result.getOrThrow(DocumentInput.normalizeDocument(answered, keys()))
    assert.deepStrictEqual(sent.nodes, document.nodes)
    assert.notInclude(JSON.stringify(WireDocument.encodeWithoutWritten(document)), "Prices")
  })

  it("stay where the reference becomes another", () => {
    const moved = DocumentRefs.mapRefs(parse(labelled).document, (ref) =>
      ref.kind === "file" ? { ...ref, file: `${ref.file}x` } : ref
    )
    assert.strictEqual(Markdown.print(moved), `${labelled.replace(/files\/f\d/g, "$&x")}\n`)
  })

  it("are a difference that review shows", () => {
    const other = parse(labelled.replace("Prices", "Costs")).document
    const [change] = diff(parse(labelled).document, other)
    const runs = change?.kind === "edited" ? change.text : []
    assert.deepStrictEqual(
      runs.filter(({ kind }) => kind !== "equal").map(({ kind, text }) => [kind, text]),
      [
        ["deleted", "f1, Prices, Ours"],
        ["inserted", "f1, Costs, Ours"]
      ]
    )
  })
})

describe("styles of figures", () => {
  it("are written as they were read, in a frame as well", () => {
    const framed = `<div align="left">${styled} ${styled}</div>`
    for (const text of [styled, framed]) assert.strictEqual(Markdown.print(parse(text).document), `${text}\n`)
    const apart = `<div align="left">\n\n${styled}\n\n</div>`
    assert.strictEqual(parse(apart).document.nodes[0]!.type, "images")
  })

  it("stand beside the image for members, and nobody else gets them", () => {
    const { document } = parse(styled)
    const answered = wire(WireDocument.encode(document))
    assert.deepStrictEqual([...problems(answered)], [])
    assert.deepStrictEqual(answered.nodes[0].nodes[0].written, { data: { style: "max-width: 50%" } })
    assert.deepStrictEqual(Result.getOrThrow(DocumentInput.normalizeDocument(answered, keys())).nodes, document.nodes)
    const forVisitors = VisitorDocument.visitorDocument(document)
    assert.strictEqual(Markdown.print(forVisitors), "![](/files/f1)\n")
  })
})
