import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe } from "vitest"
import { defaultLayout } from "@lectern/core/content/pages/Page"
import * as PageFrontMatter from "@lectern/core/content/pages/PageFrontMatter"
import { runs } from "../../Runs.ts"

describe("PageFrontMatter", () => {
  it("understands what is said about a page and keeps the rest", () => {
    const text = [
      "title: Title",
      "icon: bolt",
      "if: visitor.claims.beta",
      "hidden: yes please",
      "layout:",
      "  width: wide",
      "  outline:",
      "    visible: false",
      "tags: [a, b]",
      "owners: [c]"
    ].join("\n")
    assert.deepStrictEqual(PageFrontMatter.read(text), {
      metadata: {
        title: "Title",
        icon: "bolt",
        condition: "visitor.claims.beta",
        layout: { ...defaultLayout, width: "wide", outline: false },
        tags: ["a", "b"]
      },
      verbatim: "hidden: yes please\nowners:\n  - c"
    })
  })

  it("keeps what is no YAML, and a layout it does not know", () => {
    const { problem, ...read } = PageFrontMatter.read("a: *nothing\nicon: bolt")
    assert.deepStrictEqual(read, { metadata: { icon: "bolt" }, verbatim: "a: *nothing" })
    assert.isString(problem)
    const layout = "layout:\n  width: narrow"
    assert.deepStrictEqual(PageFrontMatter.read(layout), { metadata: {}, verbatim: layout })
    assert.deepStrictEqual(PageFrontMatter.read(undefined), { metadata: {} })
    assert.strictEqual(PageFrontMatter.write({ icon: "x", frontMatter: "a: *nothing" }), "a: *nothing\nicon: x")
  })

  it("says in a page what was set on it, over what was kept", () => {
    assert.strictEqual(
      PageFrontMatter.write({ hidden: true, frontMatter: "hidden: 7\nowner: me" }),
      "hidden: true\nowner: me"
    )
    assert.isUndefined(PageFrontMatter.write({ title: "Title" }))
  })

  it("reads tags, and keeps what is no list of them as it is", () => {
    const tags = ["a", { tag: "b", primary: true }, { tag: "c" }]
    const text = "tags:\n  - a\n  - tag: b\n    primary: true\n  - tag: c"
    assert.deepStrictEqual(PageFrontMatter.read(text), { metadata: { tags } })
    assert.strictEqual(PageFrontMatter.write({ tags }), text)
    for (const value of ["a", "[]", "[1]", "[{name: a}]", "[{tag: a, x: 1}]", "{a: b}", "[[a]]", '[""]']) {
      const { metadata, verbatim } = PageFrontMatter.read(`tags: ${value}`)
      assert.deepStrictEqual(metadata, {}, value)
      assert.isDefined(verbatim, value)
    }
  })

  it("reads a cover in all its forms", () => {
    const a = { kind: "file", file: "a" } as const
    const b = { kind: "file", file: "b" } as const
    const files = new Map<string, typeof a | typeof b>([
      ["a.png", a],
      ["b.png", b]
    ])
    const url = { kind: "url", url: "https://e.x/a.png" } as const
    const forms = [
      ["cover: a.png", { ref: a, yPos: 0 }],
      ["cover: >-\n  a.png\ncoverY: -12.5", { ref: a, yPos: -12.5 }],
      ["cover: https://e.x/a.png\ncoverHeight: 461", { ref: url, yPos: 0, height: 461 }],
      ["cover:\n  light: a.png\n  dark: b.png", { ref: a, refDark: b, yPos: 0 }],
      ["cover: a.png\ncoverDark: b.png\ncoverHeight: 9000", { ref: a, refDark: b, yPos: 0 }],
      ["cover: gone.png", undefined],
      ["cover: [a.png]", undefined],
      ["layout:\n  cover:\n    visible: false", undefined]
    ] as const
    for (const [text, cover] of forms) {
      assert.deepStrictEqual(
        PageFrontMatter.cover(text, (path) => files.get(path)),
        cover,
        text
      )
    }
  })

  it("leaves alone what the fields of a page can't hold", () => {
    const text = "emoji: some words\nvars:\n  not a name: 1"
    assert.deepStrictEqual(PageFrontMatter.read(text), { metadata: {}, verbatim: text })
    assert.deepStrictEqual(PageFrontMatter.read("vars:\n  count: 5").metadata, { variables: { count: 5 } })
  })

  it("reads back what it wrote", () => {
    const text = fc.string({ minLength: 1, maxLength: 50 })
    const metadata = fc.record(
      {
        emoji: fc.constantFrom("🎉", "👩‍🚀", "1f389", "🇳🇴"),
        icon: text,
        description: text,
        condition: text,
        hidden: fc.boolean(),
        noIndex: fc.boolean(),
        noRobotsIndex: fc.boolean(),
        layout: fc.constantFrom(
          defaultLayout,
          { ...defaultLayout, coverSize: "full" as const, cover: false },
          { ...defaultLayout, coverSize: "background" as const, coverMask: "radial" as const, tags: false },
          { ...defaultLayout, actions: false, anchors: false }
        )
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(metadata, (page) => {
        assert.deepStrictEqual(PageFrontMatter.read(PageFrontMatter.write(page)), { metadata: page })
      }),
      runs()
    )
  })
})
