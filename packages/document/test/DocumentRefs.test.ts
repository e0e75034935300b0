import { assert, describe, it } from "@effect/vitest"
import { ContentRef } from "@lectern/document/ContentRef"
import { mapRefs, refFields, refs } from "@lectern/document/DocumentRefs"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentText from "@lectern/document/DocumentText"
import * as Markdown from "@lectern/document/markdown/Markdown"

const parse = (text: string) => {
  let last = 0
  return Markdown.parse(text, { nextKey: () => `k${++last}` }).document
}

describe("the references of a document", () => {
  const document = parse(
    '# A\n\n[a](/pages/p1) ![b](/files/f1)\n\n| [c](/pages/p2#x) |\n| - |\n| [d](https://d.x) |\n\n{% content-ref url="/pages/p1" %}\n{% endcontent-ref %}'
  )

  it("are found wherever they stand", () => {
    assert.sameDeepMembers(refs(document), [
      { kind: "page", page: "p1" },
      { kind: "file", file: "f1" },
      { kind: "anchor", anchor: "x", page: "p2" },
      { kind: "url", url: "https://d.x" },
      { kind: "page", page: "p1" }
    ])
  })

  it("are rewritten, and nothing else is", () => {
    const mapped = mapRefs(document, (ref) => (ref.kind === "page" ? { kind: "page", page: "p9" } : ref))
    assert.strictEqual(mapped.nodes[0], document.nodes[0])
    assert.strictEqual(mapped.nodes[2], document.nodes[2])
    assert.strictEqual(refs(mapped).filter((ref) => ref.kind === "page" && ref.page === "p9").length, 2)
    assert.strictEqual(
      mapRefs(document, (ref) => ref),
      document
    )
  })
})

describe("the fields of references", () => {
  it("are those of their schema", () => {
    assert.deepStrictEqual(
      [...refFields].map(([kind, { required, optional }]) => [kind, required, ...optional]),
      ContentRef.members.map(({ fields }) => [fields.kind.literal, ...Object.keys(fields).slice(1)])
    )
  })
})

describe("the references of cells that name files and users by their ids", () => {
  const table = parse(
    `<table><thead><tr><th>Name</th><th data-type="files">Files</th><th data-type="users" data-multiple>Users</th></tr></thead>` +
      `<tbody><tr><td>A</td><td><a href="/files/f1">/files/f1</a>, <a href="/files/f2">/files/f2</a></td><td><a href="/users/u1">u1</a></td></tr>` +
      `<tr><td>B</td><td><a href="/files/f1">/files/f1</a></td><td></td></tr></tbody></table>\n`
  )
  const cellsOf = (document: typeof table) => {
    const records = document.nodes[0]!.data!["records"] as Record<string, { readonly values: Record<string, unknown> }>
    return Object.values(records).flatMap(({ values }) => Object.values(values).filter(Array.isArray))
  }
  const first = { kind: "file", file: "f1" } as const
  const second = { kind: "file", file: "f2" } as const

  it("are found like any other", () => {
    assert.deepStrictEqual(cellsOf(table).slice(0, 1), [["f1", "f2"]])
    assert.deepStrictEqual(
      refs(table).filter(({ kind }) => kind === "file"),
      [first, second, first]
    )
    const urls = DocumentLinks.linksOf(table).links.map(([url]) => url)
    for (const url of ["/files/f1", "/files/f2"]) assert.include(urls, url)
  })

  it("are rewritten, and are ids again where those say it all", () => {
    assert.strictEqual(
      mapRefs(table, (ref) => ref),
      table
    )
    const renamed = mapRefs(table, (ref) => (ref.kind === "file" ? { ...ref, file: `${ref.file}0` } : ref))
    assert.deepInclude(cellsOf(renamed), ["f10", "f20"])
    const abroad = mapRefs(table, (ref) =>
      ref.kind === "file" && ref.file === "f2" ? { ...ref, space: "other" } : ref
    )
    assert.deepInclude(cellsOf(abroad), [first, { ...second, space: "other" }])
    assert.deepInclude(cellsOf(abroad), ["f1"])
    const moved = mapRefs(table, (ref) => (ref.kind === "file" ? { kind: "url", url: `../${ref.file}` } : ref))
    const back = mapRefs(moved, (ref) =>
      ref.kind === "url" && ref.url.startsWith("../") ? { kind: "file", file: ref.url.slice(3) } : ref
    )
    assert.deepStrictEqual(back, table)
  })

  it("are read without harm from a table that is not one", () => {
    for (const data of [
      { definition: { a: { type: "files" } } },
      { definition: { a: { type: "files" } }, records: { r: null, s: { values: 1 }, t: { values: { a: "f1" } } } },
      { definition: { a: null, b: 1 }, records: { r: { values: { a: ["f1"], b: ["f2"] } } } },
      { definition: "files", records: [] },
      { records: { r: { values: { a: ["f1"] } } } }
    ]) {
      const odd = { object: "document", data: {}, nodes: [{ ...table.nodes[0]!, data }] } as const
      assert.deepStrictEqual(
        refs(odd).filter(({ kind }) => kind === "file"),
        []
      )
      assert.strictEqual(
        mapRefs(odd, () => first),
        odd
      )
    }
  })
})

describe("the text of a document", () => {
  it("has the words without their marks", () => {
    const [quote] = parse("> **a** [b](c) `d`\n>\n> | e | f |\n> | - | - |\n> | _g_ | h |").nodes
    assert.strictEqual(DocumentText.plainText(quote!), "a b d\ne\nf\ng\nh")
  })

  it("has an outline with anchors of their own", () => {
    const headings = DocumentText.headings(parse('# One Two!\n\n- ## One two\n\n### Ünï <a href="#x" id="x"></a>'))
    assert.deepStrictEqual(
      headings.map(({ level, text, id }) => [level, text, id]),
      [
        [1, "One Two!", "one-two"],
        [1, "One two", "one-two-1"],
        [2, "Ünï", "x"]
      ]
    )
  })
})
