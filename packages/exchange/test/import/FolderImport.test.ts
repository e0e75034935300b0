/** The first import of a folder: its tree, its pages, its bounds. */
import { assert, describe, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { Spaces } from "@lectern/core/space/Spaces"
import { Cause, Effect, Exit } from "effect"
import { assertLaws, exportFolder, texts } from "../export/Exports.ts"
import { importFiles, markdownAt, newSpace, onInstance, outline, pageAt, reader, revisionOf } from "./Imports.ts"
import { folder } from "./ImportedFolder.ts"

describe("FolderImport", () => {
  it.effect("reports paths of files alone, of entries without a file none", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = { "a.md": "# A\n", "b.md": "# B\n" }
        const first = { "SUMMARY.md": "* [A](a.md)\n  * Part\n    * [B](b.md)\n", ...files }
        assert.deepStrictEqual((yield* importFiles(space, first)).report.added, ["a.md", "b.md"])
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "  Part (a/part)", "    B (a/part/b)"])
        const { report } = yield* importFiles(space, { "SUMMARY.md": "* [A](a.md)\n  * [B](b.md)\n", ...files })
        assert.deepStrictEqual([report.added, report.removed], [[], []])
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "  B (a/b)"])
      })
    )
  )

  it.effect("keeps the file that describes a site, and gives it back", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = { "README.md": "# Start\n", "site.yaml": "title: Acme\n" }
        assert.deepStrictEqual((yield* importFiles(space, files)).report.problems, [])
        yield* assertLaws(space)
        assert.deepStrictEqual(texts((yield* exportFolder(space)).files)["site.yaml"], files["site.yaml"])
      })
    )
  )

  it.effect("shows no ids that other programs write behind headings, and gives them back", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = {
          "a.md": "# A {#first}\n\n## Setup {: #install .wide }\n\n[b](b.md#second)\n",
          "b.md": "---\ntitle: B\n---\n\nB {#first}\n===\n\n## *Other* {/*second*/}\n",
          "c.md": '# C <a href="#first" id="first"></a>\n'
        }
        const { report } = yield* importFiles(space, files)
        assert.deepStrictEqual(report.problems, [])
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "B (b)", "C (c)"])
        assert.match(yield* markdownAt(space, "a"), /^## Setup <a href="#install" id="install"><\/a>\n/)
        assert.match(yield* markdownAt(space, "b"), /^## _Other_ <a href="#second" id="second"><\/a>\n/)
        // One of ours says more than the title.
        assert.match(yield* markdownAt(space, "c"), /^# C <a/)
        yield* assertLaws(space)
      })
    )
  )

  it.effect("makes a line of titles that files have on several", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "SUMMARY.md":
            '* [Front](front.md "La&#10;bel")\n* [A link](https://example.com) <!--{"title":"A\\nlink "}-->\n',
          "front.md": '---\ntitle: "Two\\nlines\\t"\n---\n\nText\n',
          "folded.md": "---\ntitle: >\n  In two\n  lines\n---\n\nText\n",
          "heading.md": "A long\nheading\n===\n\nText\n",
          "own.md": '---\nlectern: {"title":"Own\\ntitle","icon":"star"}\n---\n\nText\n',
          ".gitbook/includes/note.md": "---\ntitle: |-\n  Some\n  note\n---\n\nNote\n"
        })
        assert.deepStrictEqual(yield* outline(space), [
          "Front (front)",
          "A link (a-link) link",
          "In two lines (folded) hidden",
          "A long heading (heading) hidden",
          "Own title (own) hidden"
        ])
        assert.strictEqual((yield* pageAt(space, "front")).linkTitle, "La bel")
        assert.deepInclude(yield* pageAt(space, "own"), { icon: "star" })
        // What is the title is not told again by the text.
        assert.strictEqual(yield* markdownAt(space, "heading"), "Text\n")
        const notes = yield* (yield* reader(space)).reusableContents
        assert.deepStrictEqual(
          notes.map(({ title }) => title),
          ["Some note"]
        )
      })
    )
  )

  it.effect("leaves out the fields alone that hold something else than they should, and says so", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          "a.md":
            '---\nother: 1\nlectern: {"slug":"own","icon":3,"layout":{"width":"huge"},"emoji":"🚀","mine":1}\n---\n\n# A\n\n![x](a.bin)\n',
          "a.bin": "a",
          "b.bin": "b",
          "c.bin": "c",
          ".gitbook/files.json": JSON.stringify({
            "a.bin": { name: 7, contentType: "image/png" },
            "b.bin": 1,
            "c.bin": { name: "See.bin" }
          })
        })
        assert.deepStrictEqual(report.problems, [
          {
            path: ".gitbook/files.json",
            rule: "invalid-settings",
            message: "What it says of these files can't be read, and is left out: a.bin, b.bin"
          },
          {
            path: "a.md",
            rule: "invalid-front-matter",
            message: "What an export wrote here can't be read, and is left out: icon, layout"
          }
        ])
        const page = yield* pageAt(space, "own")
        assert.deepInclude(page, { title: "A", emoji: "🚀", frontMatter: "other: 1" })
        assert.notProperty(page, "icon")
        const files = yield* (yield* reader(space)).files
        assert.sameMembers(
          files.map(({ name, contentType }) => `${name} ${contentType}`),
          ["a.bin image/png", "b.bin application/octet-stream", "See.bin application/octet-stream"]
        )
      })
    )
  )

  it.effect("leaves out variables whose text can't be stored, and says so", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const path = ".gitbook/vars.yaml"
        const { report } = yield* importFiles(space, {
          "a.md": '---\nvars:\n  own: "a\\uD800"\n---\n\nText\n',
          [path]: 'half: "a\\uD800b"\nnul: "a\\0b"\nlines: "a\\nb"\n'
        })
        assert.deepStrictEqual(report.problems, [
          {
            path,
            rule: "invalid-settings",
            message: 'The variable "half" has no well-formed text, number or truth value'
          },
          {
            path,
            rule: "invalid-settings",
            message: 'The variable "nul" has no well-formed text, number or truth value'
          }
        ])
        assert.deepStrictEqual(yield* (yield* reader(space)).variables, { lines: "a\nb" })
        assert.notProperty(yield* pageAt(space, "a"), "variables")
      })
    )
  )

  it.effect("makes the tree of the summary, and hides what it does not name", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, folder)
        assert.deepStrictEqual(yield* outline(space), [
          "Home (readme)",
          "Starting (start)",
          "  Install it (start/Install)",
          "The web (the-web) link",
          "Guides (guides) group",
          "  First (guides/first)",
          "Guides (guides-1) group hidden",
          "  With space (guides-1/with-space) hidden"
        ])
        assert.deepStrictEqual(report.added, [
          ".gitbook/assets/kept.bin",
          ".gitbook/includes/note.md",
          "README.md",
          "guides/first.md",
          "guides/with space.md",
          "images/logo.png",
          "start/Install.md",
          "start/README.md"
        ])
        assert.deepStrictEqual(
          report.problems.map(({ path, line }) => [path, line]),
          [
            ["SUMMARY.md", 6],
            ["SUMMARY.md", 7],
            [".gitbook/vars.yaml", undefined],
            ["images/unused.png", undefined],
            ["start/README.md", undefined]
          ]
        )
        const content = yield* reader(space)
        assert.deepStrictEqual(yield* content.variables, { product: "Lectern", version: 2 })
        assert.deepStrictEqual(
          (yield* content.reusableContents).map(({ title }) => title),
          ["Note"]
        )
        const start = yield* pageAt(space, "start")
        assert.strictEqual(start.icon, "rocket")
        assert.strictEqual(start.description, "How to start")
      })
    )
  )

  it.effect("a plain tree: README first, then by name, folders by their README or as groups", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "zebra.md": "---\ntitle: From front matter\n---\n\ntext\n",
          "index.md": "# Welcome\n",
          "guide/README.md": "# The guide\n",
          "guide/b-side.md": "text\n",
          "guide/a.md": "# A heading\n\ntext\n",
          "deep/er/page.md": "text\n",
          ".github/ignored.md": "text\n"
        })
        assert.deepStrictEqual(yield* outline(space), [
          "Welcome (index)",
          "Deep (deep) group",
          "  Er (deep/er)",
          "    Page (deep/er/page)",
          "The guide (guide)",
          "  A heading (guide/a)",
          "  B side (guide/b-side)",
          "From front matter (zebra)"
        ])
      })
    )
  )

  it.effect("a plain tree: a page beside a folder of its name stands for it, unless the folder has its own", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "b.md": "# The B\n\n[a](b/a.md)\n",
          "b/a.md": "# A\n\n[up](../b.md) [up](../b)\n",
          "b/a/deep/er.md": "text\n",
          "c.md": "text\n",
          "c/README.md": "# Own\n",
          "c/a.md": "text\n",
          "d.markdown": "text\n",
          "d/a.md": "text\n",
          "readme.md": "text\n",
          "readme/a.md": "text\n"
        })
        assert.deepStrictEqual(yield* outline(space), [
          "Readme (readme)",
          "The B (b)",
          "  A (b/a)",
          "    Deep (b/a/deep)",
          "      Er (b/a/deep/er)",
          "Own (c)",
          "  A (c/a)",
          "C (c-1)",
          "D (d)",
          "  A (d/a)",
          "Readme (readme-1) group",
          "  A (readme-1/a)"
        ])
        const b = yield* pageAt(space, "b")
        assert.strictEqual(yield* markdownAt(space, "b/a"), `[up](/pages/${b.id}) [up](/pages/${b.id})\n`)
        yield* assertLaws(space)
      })
    )
  )

  it.effect("a name with spaces is the title as it stands, another one in words", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "17 - B-tree.md": "Text\n",
          "notes  on e-mail_servers.md": "Text\n",
          "set-up_guide.md": "Text\n",
          "Part 2 - more/a.md": "Text\n"
        })
        assert.deepStrictEqual(
          (yield* outline(space)).map((line) => line.replace(/ \(.*/, "")),
          ["17 - B-tree", "Part 2 - more", "  A", "Notes on e-mail_servers", "Set up guide"]
        )
      })
    )
  )

  it.effect("names of files and titles that can't be shown as they are written are made a line", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "a.md": "# See\u202e this\n\n![](<img/a\u0001b\u202egnp.png>) ![](<img/\u200b>)\n",
          "b.md": "# \u200b\u2060\n",
          "img/a\u0001b\u202egnp.png": "a",
          "img/\u200b": "b"
        })
        assert.deepStrictEqual(yield* outline(space), ["See this (a)", "B (b)"])
        const files = yield* (yield* reader(space)).files
        assert.sameMembers(
          files.map(({ name }) => name),
          ["a bgnp.png", "file"]
        )
        yield* assertLaws(space)
      })
    )
  )

  it.effect("of two imports at once one wins, and the other changes nothing", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const exits = yield* Effect.all(
          [
            Effect.exit(importFiles(space, { "a.md": "one\n", "b.md": "b\n" })),
            Effect.exit(importFiles(space, { "a.md": "two\n", "b.md": "b\n" }))
          ],
          { concurrency: "unbounded" }
        )
        const [failed, ...others] = exits.filter(Exit.isFailure)
        assert.deepStrictEqual(others, [])
        const error = Cause.squash(failed!.cause)
        assert.strictEqual((error as { readonly _tag: string })._tag, "ContentOutdated")
        const winner = exits.findIndex(Exit.isSuccess)
        assert.strictEqual(yield* markdownAt(space, "a"), winner === 0 ? "one\n" : "two\n")
      })
    )
  )

  it.effect("a locked space takes no import", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* (yield* Spaces).update(space, { editMode: "locked" })
        const failure = yield* Effect.flip(importFiles(space, { "a.md": "a" }))
        assert.strictEqual(failure._tag, "SpaceLocked")
      })
    )
  )

  it.effect("hostile folders: paths, depth, bytes and sizes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const deep = Array.from({ length: 40 }, (_, i) => `${"  ".repeat(i)}* [P${i}](p${i}.md)`).join("\n")
        const pages = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}.md`, `text ${i}\n`]))
        const { report } = yield* importFiles(space, {
          ...pages,
          "SUMMARY.md": deep,
          "../outside.md": "no",
          "a//b.md": "no",
          "component.rst": "Component",
          "node_modules/.hidden/x.mdx": "no page of this folder",
          "bad.md": new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x00, 0x0a]),
          "big.md": "x".repeat(Folder.maxMarkdownBytes + 1)
        })
        assert.strictEqual((yield* (yield* reader(space)).allPages).length, 42)
        for (const path of ["../outside.md", "a//b.md", "bad.md", "big.md", "p10.md", "component.rst"]) {
          assert.isTrue(
            report.problems.some((problem) => problem.path === path),
            path
          )
        }
        assert.strictEqual(yield* reader(space).pipe(Effect.flatMap(({ pageCount }) => pageCount)), 42)
      })
    )
  )

  it.effect("too many pages are refused, and nothing is stored", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const before = yield* revisionOf(space)
        const many = Array.from({ length: 50_001 }, (_, i) => Folder.file(`p${i}.md`, ""))
        const failure = yield* Effect.flip((yield* FolderImports).importFolder(space, { files: many }))
        assert.strictEqual(failure._tag, "FolderTooLarge")
        assert.strictEqual((yield* revisionOf(space)).id, before.id)
      })
    )
  )

  it.effect("progress rises to its end", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const seen: Array<number> = []
        const files = Object.entries(folder).map(([path, bytes]) => Folder.file(path, bytes))
        yield* (yield* FolderImports).importFolder(
          space,
          { files },
          { onProgress: ({ done, total }) => Effect.sync(() => void seen.push(done / total)) }
        )
        assert.isAbove(seen.length, 5)
        assert.strictEqual(seen.at(-1), 1)
      })
    )
  )
})
