/** Tags: defined by a file of a folder, set on pages, answered, and exported as they came. */
import { assert, describe, it } from "@effect/vitest"
import { Contents } from "@lectern/core/content/Contents"
import * as TagsYaml from "@lectern/core/content/tags/TagsYaml"
import { Effect } from "effect"
import { exportFolder } from "../../../../exchange/test/export/Exports.ts"
import { importFiles, newSpace, onInstance } from "../../../../exchange/test/import/Imports.ts"

const text = `# What our readers may expect
- tag: new
  label:   New   # in this release
  color: green
- tag: beta
  label: Beta
  icon: flask
- tag: plain
`

const folder = {
  ".gitbook/tags.yaml": text,
  "README.md": "---\ntags:   [ new,unknown, {tag: beta, primary: true}, new ]\nowner: me\n---\n\n# Home\n",
  "plain.md": "# Plain\n"
}

const decoder = new TextDecoder()

const read = Effect.fnUntraced(function* (space: Parameters<typeof importFiles>[0]) {
  const contents = yield* Contents
  const at = yield* contents.locate({ space })
  const revision = yield* contents.revision(at)
  const { pages } = yield* contents.pages(at)
  assert.deepStrictEqual(pages, revision.pages)
  const tagsOf = new Map(pages.map((page) => [page.title, page.type === "document" ? page.tags : []]))
  const home = yield* contents.page(at, pages[0]!.id)
  assert.deepStrictEqual(home.type === "document" && home.tags, tagsOf.get(home.title))
  return { revision: revision.id, defined: revision.tags, home: tagsOf.get("Home"), plain: tagsOf.get("Plain") }
})

const on = (tag: string) => ({ kind: "tag", tag }) as const

describe("Tags", () => {
  it("are read of a list, and told of where they can't be", () => {
    assert.deepStrictEqual(TagsYaml.read(text), {
      tags: [
        { slug: "new", label: "New", color: "green" },
        { slug: "beta", label: "Beta", color: "default", icon: "flask" },
        { slug: "plain", label: "plain", color: "default" }
      ],
      problems: []
    })
    assert.deepStrictEqual(TagsYaml.read("- tag: a\n  color: mauve\n  emoji: no\n  icon: 7\n  label: [x]\n").tags, [
      { slug: "a", label: "a", color: "default" }
    ])
    assert.deepStrictEqual(TagsYaml.read("- tag: a\n  emoji: '1f389'\n  icon: bolt\n").tags, [
      { slug: "a", label: "a", color: "default", emoji: "1f389" }
    ])
    for (const [wrong, problem] of [
      ["new: New", "Expected a list of tags"],
      ["- label: New", "Entry 1 has no `tag`"],
      ["- new", "Entry 1 has no `tag`"],
      ["- tag: a\n- tag: a", 'The tag "a" is there twice'],
      ["- tag: *a", "Unresolved alias"]
    ] as const) {
      assert.include(TagsYaml.read(wrong).problems[0], problem, wrong)
    }
    for (const nothing of ["", "# only a remark\n", "[]"]) {
      assert.deepStrictEqual(TagsYaml.read(nothing), { tags: [], problems: [] })
    }
    const many = Array.from({ length: 1_001 }, (_, i) => `- tag: t${i}\n`).join("")
    assert.strictEqual(TagsYaml.read(many).tags.length, 1_000)
    assert.strictEqual(TagsYaml.read("x".repeat(300_000)).problems.length, 1)
  })

  it.effect("are answered of a revision and its pages, those that are defined, and come out as they were", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, folder)
        assert.deepStrictEqual(report.problems, [])
        const first = yield* read(space)
        assert.deepStrictEqual(
          first.defined.map(({ slug, label }) => [slug, label]),
          [
            ["new", "New"],
            ["beta", "Beta"],
            ["plain", "plain"]
          ]
        )
        assert.deepStrictEqual(first.home, [{ tag: on("new") }, { tag: on("beta"), primary: true }])
        assert.deepStrictEqual(first.plain, [])
        const { files } = yield* exportFolder(space)
        for (const [path, written] of Object.entries(folder)) {
          assert.strictEqual(decoder.decode(files[path]), written, path)
        }
        // Another definition is another revision, and so are other tags of a page.
        yield* importFiles(space, { ...folder, ".gitbook/tags.yaml": text.replace("Beta", "Preview") })
        const second = yield* read(space)
        assert.notStrictEqual(second.revision, first.revision)
        assert.strictEqual(second.defined[1]?.label, "Preview")
        yield* importFiles(space, { ...folder, "plain.md": "---\ntags:\n  - plain\n---\n\n# Plain\n" })
        assert.deepStrictEqual((yield* read(space)).plain, [{ tag: on("plain") }])
        const { ".gitbook/tags.yaml": _, ...without } = folder
        yield* importFiles(space, without)
        const last = yield* read(space)
        assert.deepStrictEqual([last.defined, last.home], [[], []])
      })
    )
  )

  it.effect("that can't be read are reported, and kept", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, { ...folder, ".gitbook/tags.yaml": "new: New\n" })
        assert.deepStrictEqual(report.problems, [
          { path: ".gitbook/tags.yaml", rule: "invalid-settings", message: "Expected a list of tags" }
        ])
        assert.deepStrictEqual((yield* read(space)).defined, [])
        const { files } = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(files[".gitbook/tags.yaml"]), "new: New\n")
      })
    )
  )
})
