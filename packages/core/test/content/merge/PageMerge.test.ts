/** Merges of pages, and of what pages use, that two sides changed. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import type * as ContentReader from "@lectern/core/content/ContentReader"
import type { Block } from "@lectern/document/Document"
import { ObjectHash } from "@lectern/core/storage/ObjectStore"
import { defaultLayout, type PageEntry } from "@lectern/core/content/pages/Page"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { document, documentOf, paragraph, tree } from "../Documents.ts"
import { type Case, checkEach, type Edits, file } from "./Merges.ts"

type Patch = Parameters<Parameters<Edits>[0]["updatePage"]>[1]

const set =
  (id: string, patch: Patch): Edits =>
  (editor) =>
    editor.updatePage(id, patch)

/** That of a page, these fields are so. */
const fields = (id: string, expected: Partial<PageEntry>) => (content: ContentReader.ContentReader) =>
  Effect.map(content.page(id), (page) => assert.deepInclude(page, expected))

const ref = (url: string) => ({ kind: "url", url }) as const
const cover = (url: string, yPos: number) => ({ ref: ref(url), yPos })

const source = (name: string) => ObjectHash.make(name)

const inOptions: ReadonlyArray<Case> = [
  {
    name: "where it was imported from, which is never a conflict",
    main: set("b", { git: { oid: "1", path: "b.md" }, source: source("main") }),
    ours: set("b", { git: { oid: "2", path: "b.md" }, source: source("ours") }),
    check: fields("b", { git: { oid: "2", path: "b.md" }, source: source("ours") })
  },
  {
    name: "different attributes",
    main: set("b", { description: "Main's", icon: "rocket", hidden: true }),
    ours: set("b", { emoji: "🎈", noIndex: true, condition: "visitor.claims.beta" }),
    check: fields("b", {
      description: "Main's",
      icon: "rocket",
      hidden: true,
      emoji: "🎈",
      noIndex: true,
      condition: "visitor.claims.beta"
    })
  },
  {
    name: "the description by both, the icon by one",
    main: set("b", { description: "Main's", icon: "rocket" }),
    ours: set("b", { description: "Ours" }),
    conflicts: ["b description"],
    check: fields("b", { description: "Ours", icon: "rocket" }),
    checkMain: fields("b", { description: "Main's", icon: "rocket" })
  },
  {
    name: "a description that one side took away",
    main: set("b", { description: "Main's" }),
    ours: set("b", { description: "" }),
    conflicts: ["b description"],
    checkMain: fields("b", { description: "Main's" })
  },
  {
    name: "different options of the layout",
    main: set("b", { layout: { ...defaultLayout, width: "wide" } }),
    ours: set("b", { layout: { ...defaultLayout, outline: false } }),
    check: fields("b", { layout: { ...defaultLayout, width: "wide", outline: false } })
  },
  {
    name: "the same option of the layout in the same way, and one by each",
    main: set("b", { layout: { ...defaultLayout, coverSize: "full", title: false } }),
    ours: set("b", { layout: { ...defaultLayout, coverSize: "full", outline: false } }),
    check: fields("b", { layout: { ...defaultLayout, coverSize: "full", title: false, outline: false } })
  },
  {
    name: "variables of a page: one set by each, one by both",
    main: set("b", { variables: { main: 1, both: "main" } }),
    ours: set("b", { variables: { ours: 2, both: "ours" } }),
    conflicts: ["b variables"],
    check: fields("b", { variables: { main: 1, both: "ours", ours: 2 } }),
    checkMain: fields("b", { variables: { main: 1, both: "main", ours: 2 } })
  },
  {
    name: "variables of a page: one set by each",
    main: set("b", { variables: { main: 1 } }),
    ours: set("b", { variables: { ours: 2 } }),
    check: fields("b", { variables: { main: 1, ours: 2 } })
  },
  {
    name: "the cover, by both",
    main: set("b", { cover: cover("https://main.example", 0) }),
    ours: set("b", { cover: cover("https://ours.example", 0) }),
    conflicts: ["b cover"],
    check: fields("b", { cover: cover("https://ours.example", 0) }),
    checkMain: fields("b", { cover: cover("https://main.example", 0) })
  }
]

const places: ReadonlyArray<Case> = [
  {
    name: "renamed and edited",
    main: set("a", { title: "Main's A" }),
    ours: (editor) =>
      editor.replaceDocument("a", document(paragraph("p1", "first words of ours"), paragraph("p2", "second"))),
    tree: [["Main's A", "A one"], "B", "C"],
    check: (content) =>
      Effect.gen(function* () {
        const { nodes } = yield* documentOf(content, (yield* content.page("a"))!.document)
        assert.deepStrictEqual(nodes[0], paragraph("p1", "first words of ours"))
      })
  },
  {
    name: "moved and edited",
    main: (editor) => editor.movePage("a", { parent: "c" }),
    ours: set("a1", { title: "Our A one" }),
    tree: ["B", ["C", ["A", "Our A one"]]]
  },
  {
    name: "moved by ours, deleted by main",
    main: (editor) => editor.removePage("b"),
    ours: (editor) => editor.movePage("b", { parent: "c" }),
    conflicts: ["b page"],
    tree: [
      ["A", "A one"],
      ["C", "B"]
    ],
    settledForMain: [["A", "A one"], "C"]
  },
  {
    name: "moved by ours, its parent deleted by main: it is where ours put it",
    main: (editor) => editor.removePage("a"),
    ours: (editor) => editor.movePage("a1", { parent: null, at: 0 }),
    conflicts: ["a1 page"],
    tree: ["A one", "B", "C"],
    settledForMain: ["B", "C"]
  },
  {
    name: "moved by ours under a page that main deleted: both stay",
    main: (editor) => editor.removePage("b"),
    ours: (editor) => editor.movePage("c", { parent: "b" }),
    conflicts: ["b page"],
    tree: [
      ["A", "A one"],
      ["B", "C"]
    ]
  },
  {
    name: "moved by main under a page that ours deleted: both stay",
    main: (editor) => editor.movePage("c", { parent: "b" }),
    ours: (editor) => editor.removePage("b"),
    conflicts: ["b page"],
    tree: [
      ["A", "A one"],
      ["B", "C"]
    ]
  },
  {
    name: "deleted by main, the page below it edited by ours: both stay",
    main: (editor) => editor.removePage("a"),
    ours: set("a1", { title: "Our A one" }),
    conflicts: ["a1 page", "a page"],
    tree: [["A", "Our A one"], "B", "C"],
    settledForMain: ["B", "C"]
  },
  {
    name: "moved by each to another place of one parent",
    main: (editor) => editor.movePage("c", { parent: null, at: 0 }),
    ours: (editor) => editor.movePage("a", { parent: null, at: 2 }),
    tree: ["C", "B", ["A", "A one"]]
  },
  {
    name: "moved by both to the same place",
    main: (editor) => editor.movePage("c", { parent: "a" }),
    ours: (editor) => editor.movePage("c", { parent: "a" }),
    tree: [["A", "A one", "C"], "B"]
  },
  {
    name: "a circle of three moves",
    main: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("b", { parent: "a" })
        yield* editor.movePage("c", { parent: "b" })
      }),
    ours: (editor) => editor.movePage("a", { parent: "c" }),
    conflicts: ["a place"],
    tree: [["A", "A one", ["B", "C"]]],
    settledForMain: [["A", "A one", ["B", "C"]]]
  },
  {
    name: "two pages renamed to one slug: both stay, one with a number",
    main: set("b", { slug: "same" }),
    ours: set("c", { slug: "same" }),
    check: (content) =>
      Effect.map(PageTree.children(content, null), (pages) =>
        assert.sameMembers(
          pages.map(({ slug }) => slug),
          ["a", "same", "same-1"]
        )
      )
  },
  {
    name: "a group made by one, and pages put into another page by the other",
    main: (editor) =>
      Effect.gen(function* () {
        yield* editor.insertPage({ id: "g", title: "Group", type: "group" })
        yield* editor.movePage("b", { parent: "g" })
      }),
    ours: (editor) => editor.movePage("c", { parent: "a" }),
    tree: [
      ["A", "A one", "C"],
      ["Group", "B"]
    ]
  },
  {
    name: "a group deleted by main, into which ours put a page: both stay",
    main: (editor) => editor.removePage("a"),
    ours: (editor) =>
      editor.insertPage({ id: "n", title: "New", parent: "a", type: "link", target: ref("https://n.example") }),
    conflicts: ["a page"],
    tree: [["A", "New"], "B", "C"]
  }
]

const include = (key: string, reusableContent: string): Block => ({
  object: "block",
  type: "reusable-content",
  key,
  data: { ref: { kind: "reusable-content", reusableContent } },
  isVoid: true
})

const used: ReadonlyArray<Case> = [
  {
    name: "reusable content: its title by one, its text by the other",
    main: (editor) => editor.putReusableContent({ id: "r", title: "Main's R" }),
    ours: (editor) =>
      Effect.gen(function* () {
        const hash = yield* editor.writeDocument(document(paragraph("p", "Ours")))
        yield* editor.putReusableContent({ id: "r", title: "R", document: hash! })
      }),
    check: (content) =>
      Effect.gen(function* () {
        const entry = (yield* content.reusableContent("r"))!
        assert.strictEqual(entry.title, "Main's R")
        assert.deepStrictEqual(yield* documentOf(content, entry.document), tree(paragraph("p", "Ours")))
      })
  },
  {
    name: "reusable content deleted by main, used by ours: the page says so still",
    main: (editor) => editor.removeReusableContent("r"),
    ours: (editor) => editor.replaceDocument("b", document(include("i", "r"))),
    check: (content) =>
      Effect.gen(function* () {
        assert.isUndefined(yield* content.reusableContent("r"))
        const { nodes } = yield* documentOf(content, (yield* content.page("b"))!.document)
        assert.deepStrictEqual(nodes, [include("i", "r")])
      })
  },
  {
    name: "reusable content of one title added by both: both stay",
    main: (editor) => editor.putReusableContent({ id: "m", title: "Same" }),
    ours: (editor) => editor.putReusableContent({ id: "o", title: "Same" }),
    check: (content) =>
      Effect.map(content.reusableContents, (all) =>
        assert.deepStrictEqual(all.map(({ id }) => id).toSorted(), ["m", "o", "r"])
      )
  },
  {
    name: "a file renamed by both, its bytes changed by one",
    main: (editor) => editor.putFile(file("f", "main.txt", "two")),
    ours: (editor) => editor.putFile(file("f", "ours.txt", "one")),
    conflicts: ["f name"],
    check: (content) =>
      Effect.map(content.file("f"), (entry) => assert.deepStrictEqual(entry, file("f", "ours.txt", "two"))),
    checkMain: (content) =>
      Effect.map(content.file("f"), (entry) => assert.deepStrictEqual(entry, file("f", "main.txt", "two")))
  },
  {
    name: "a file deleted by main, renamed by ours",
    main: (editor) => editor.removeFile("f"),
    ours: (editor) => editor.putFile(file("f", "ours.txt", "one")),
    conflicts: ["f file"],
    checkMain: (content) => Effect.map(content.file("f"), (entry) => assert.isUndefined(entry))
  },
  {
    name: "files of one name added by both: both stay",
    main: (editor) => editor.putFile(file("m", "same.txt", "one")),
    ours: (editor) => editor.putFile(file("o", "same.txt", "two")),
    check: (content) =>
      Effect.map(content.files, (all) => assert.deepStrictEqual(all.map(({ id }) => id).toSorted(), ["f", "m", "o"]))
  },
  {
    name: "a variable added by both with other values",
    main: (editor) => editor.setVariable("new", "main"),
    ours: (editor) => editor.setVariable("new", "ours"),
    conflicts: ["new "],
    check: (content) => Effect.map(content.variables, ({ new: value }) => assert.strictEqual(value, "ours")),
    checkMain: (content) => Effect.map(content.variables, ({ new: value }) => assert.strictEqual(value, "main"))
  },
  {
    name: "a variable deleted by ours, changed by main: it stays until that is settled",
    main: (editor) => editor.setVariable("v", "main"),
    ours: (editor) => editor.setVariable("v", undefined),
    conflicts: ["v "],
    check: (content) => Effect.map(content.variables, ({ v }) => assert.strictEqual(v, "main")),
    checkMain: (content) => Effect.map(content.variables, ({ v }) => assert.strictEqual(v, "main"))
  }
]

describe("merging pages", () => {
  describe("attributes and options", () => void checkEach(inOptions))
  describe("places", () => void checkEach(places))
  describe("what pages use", () => void checkEach(used))
})
