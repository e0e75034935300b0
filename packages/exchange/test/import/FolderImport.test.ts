/** The first import of a folder: its tree, its pages, its bounds. */
import { Contents } from "@lectern/core/content/Contents"
import { assert, describe, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { Spaces } from "@lectern/core/space/Spaces"
import { Cause, Effect, Exit } from "effect"
import { assertLaws, exportFolder } from "../export/Exports.ts"
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

  it.effect("answers links to parts of other pages by their ids, whatever they were written as", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const links = "[a](b.md#Some-Heading) [b](b.md#some-heading--more) [c](b.md#own) [d](b.md#gone) [e](#A-Part)"
        yield* importFiles(space, {
          "a.md": `# A\n\n## A part\n\n${links}\n`,
          "b.md": '# B\n\n## Some heading\n\n### Some heading & more\n\n## Other <a href="#own" id="own"></a>\n'
        })
        const { id } = yield* pageAt(space, "a")
        const contents = yield* Contents
        const answer = JSON.stringify(
          yield* contents.page(yield* contents.locate({ space }), id, { format: "document" })
        )
        assert.deepStrictEqual(
          Array.from(answer.matchAll(/"anchor":"([^"]*)"(?!,"shown")/g), ([, anchor]) => anchor),
          ["some-heading", "some-heading-and-more", "own", "gone", "a-part"]
        )
        // The text stays as it was written.
        assert.include(yield* markdownAt(space, "a"), "#Some-Heading")
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

  it.effect("turns links into references, and keeps those that lead nowhere", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const content = yield* reader(space)
        const logo = (yield* content.files).find(({ name }) => name === "logo.png")!
        assert.deepStrictEqual(logo.dimensions, { width: 3, height: 2 })
        const install = yield* pageAt(space, "start/install")
        const first = yield* pageAt(space, "guides/first")
        const home = yield* pageAt(space, "readme")
        const unlisted = yield* pageAt(space, "guides-1/with-space")
        assert.strictEqual(
          yield* markdownAt(space, "readme"),
          `See [installing](/pages/${install.id}#now) and [the first](/pages/${first.id}).\n\n![logo](/files/${logo.id})\n`
        )
        assert.strictEqual(yield* markdownAt(space, "start"), `[broken](nowhere.md) [up](/pages/${home.id})\n`)
        assert.include(
          yield* markdownAt(space, "start/install"),
          `[file](/files/${logo.id}) [enc](/pages/${unlisted.id})`
        )
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

  it.effect("the root of .gitbook.yaml is where absolute links start", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          ".gitbook.yaml": "root: ./docs\nstructure:\n  readme: Home.md\n  summary: toc.md\n",
          "docs/toc.md": "* [A](/sub/a.md)\n",
          "docs/Home.md": "# Hello\n\n[a](/sub/a.md)\n",
          "docs/sub/a.md": "[home](/HOME.md)\n",
          "outside.md": "not documentation\n"
        })
        const a = yield* pageAt(space, "a")
        const home = yield* pageAt(space, "home")
        assert.deepStrictEqual(yield* outline(space), ["Hello (Home)", "A (a)"])
        assert.strictEqual(yield* markdownAt(space, "home"), `[a](/pages/${a.id})\n`)
        assert.strictEqual(yield* markdownAt(space, "a"), `[home](/pages/${home.id})\n`)
      })
    )
  )

  it.effect("a link to a page as others publish it leads to the page", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const written =
          "[a](a.html) [at](a.html#part) [id](a.md?id=part) [root](/guide/a.html) [folder](index.html) [file](real.html) " +
          "[no](gone.html) [query](?id=part) [web](https://a.b/guide/a.html) [base](/docs/guide/a.html) [q](a?x=1)\n"
        yield* importFiles(space, {
          "guide/README.md": "# Guide\n",
          "guide/a.md": "# A\n\n## Part\n",
          "guide/real.html": "<p>",
          "guide/b.md": `# B\n\n${written}`
        })
        const [a, guide] = yield* Effect.all([pageAt(space, "guide/a"), pageAt(space, "guide")])
        const [file] = yield* (yield* reader(space)).files
        assert.strictEqual(
          yield* markdownAt(space, "guide/b"),
          `[a](/pages/${a.id}) [at](/pages/${a.id}#part) [id](/pages/${a.id}#part) [root](/pages/${a.id}) ` +
            `[folder](/pages/${guide.id}) [file](/files/${file!.id}) [no](gone.html) [query](?id=part) ` +
            `[web](https://a.b/guide/a.html) [base](/pages/${a.id}) [q](/pages/${a.id})\n`
        )
      })
    )
  )

  it.effect("a link to a post as blogs publish it leads to the only post of that date and name", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const links =
          "[day](/blog/2024/03/31/spring) [month](/blog/2024/03/Spring/#part) [html](/2024/03/31/spring.html) " +
          "[folder](/blog/2024/04/02/april/) [other](/blog/2024/05/spring) [two](/blog/2024/06/twice) " +
          "[one](/blog/2024/06/02/twice) [no](/blog/24/03/spring)\n"
        const files = {
          "README.md": `# Home\n\n${links}`,
          "blog/2024-03-31-spring.md": "# Spring\n\n## Part\n",
          "blog/2024-04-02-april/index.md": "# April\n",
          "blog/2024-06-01-twice.md": "# First\n",
          "blog/2024-06-02-twice.md": "# Second\n"
        }
        yield* importFiles(space, files)
        const [spring, april, second] = yield* Effect.all([
          pageAt(space, "blog/2024-03-31-spring"),
          pageAt(space, "blog/2024-04-02-april"),
          pageAt(space, "blog/2024-06-02-twice")
        ])
        assert.strictEqual(
          yield* markdownAt(space, "readme"),
          `[day](/pages/${spring.id}) [month](/pages/${spring.id}#part) [html](/pages/${spring.id}) ` +
            `[folder](/pages/${april.id}) [other](/blog/2024/05/spring) [two](/blog/2024/06/twice) ` +
            `[one](/pages/${second.id}) [no](/blog/24/03/spring)\n`
        )
        const { files: exported } = yield* exportFolder(space)
        assert.strictEqual(new TextDecoder().decode(exported["README.md"]), files["README.md"])
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

  it.effect("a file from the root is found where others publish it from", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          ".gitbook.yaml": "root: ./docs/\n",
          "docs/guide/a.md": "# A\n\n![a](/img/a.png) ![b](/img/b.png) [page](/page) ![gone](/img/gone.png)\n",
          "docs/public/img/b.png": "b",
          "static/img/a.png": "a",
          "static/page.md": "# No page of the folder\n"
        })
        const names = new Map((yield* (yield* reader(space)).files).map(({ id, name }) => [name, id]))
        assert.sameMembers([...names.keys()], ["a.png", "b.png"])
        assert.strictEqual(
          yield* markdownAt(space, "guide/a"),
          `![a](/files/${names.get("a.png")}) ![b](/files/${names.get("b.png")}) [page](/page) ![gone](/img/gone.png)\n`
        )
        assert.match(String(report.problems.map(({ message }) => message)), /\/page.*\/img\/gone\.png/)
      })
    )
  )

  it.effect("a file is found by a destination that also says how to show it", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          "a.md":
            "# A\n\n![light](img/a.png#only-light) ![dark](/img/b.png#gh-dark-mode-only) [p](c%20d.pdf#page=2) [x](a.svg?v=1#x)\n",
          "img/a.png": "a",
          "public/img/b.png": "b",
          "c d.pdf": "%PDF",
          "a.svg": "<svg>"
        })
        const ids = new Map((yield* (yield* reader(space)).files).map(({ id, name }) => [name, `/files/${id}`]))
        assert.strictEqual(
          yield* markdownAt(space, "a"),
          `![light](${ids.get("a.png")}) ![dark](${ids.get("b.png")}) [p](${ids.get("c d.pdf")}) [x](${ids.get("a.svg")})\n`
        )
        assert.deepStrictEqual(report.problems, [])
      })
    )
  )

  it.effect("a picture comes along that is HTML, whatever else that says", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const image = '<img class="logo" src="img/a.png" style="max-width: 9em" width="200"/>'
        const { report } = yield* importFiles(space, {
          "a.md": `# A\n\n<p align="center">\n  ${image}\n</p>\n\nText ${image.replace("a.png", "b.png")} text\n`,
          "img/a.png": new Uint8Array([1]),
          "img/b.png": new Uint8Array([2])
        })
        assert.deepStrictEqual(report.added, ["a.md", "img/a.png", "img/b.png"])
        yield* assertLaws(space)
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

  it.effect("a link from the root is found where others mean another folder by that", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const links =
          "[b](/learn/b#part) [c](/repository/site/learn/c.md) [d](/repository/d) [e](/learn/e/) [gone](/pricing) [web](//learn/b)\n"
        yield* importFiles(space, {
          "README.md": `# Home\n\n${links}`,
          "d.md": "# D\n",
          "site/guide/a.md": `# A\n\n${links}`,
          "site/learn/b.md": "# B\n\n## Part\n",
          "site/learn/c.md": "# C\n",
          "site/learn/e/README.md": "# E\n",
          // What stands there as it is written counts first.
          "site/guide/learn/b.md": "# Another\n"
        })
        const [b, c, d, e] = yield* Effect.all([
          pageAt(space, "site/learn/b"),
          pageAt(space, "site/learn/c"),
          pageAt(space, "d"),
          pageAt(space, "site/learn/e")
        ])
        assert.strictEqual(
          yield* markdownAt(space, "site/guide/a"),
          `[b](/pages/${b.id}#part) [c](/pages/${c.id}) [d](/pages/${d.id}) [e](/pages/${e.id}) [gone](/pricing) [web](//learn/b)\n`
        )
        // Above it there is no folder.
        assert.strictEqual(
          yield* markdownAt(space, "readme"),
          `[b](/learn/b#part) [c](/pages/${c.id}) [d](/pages/${d.id}) [e](/learn/e/) [gone](/pricing) [web](//learn/b)\n`
        )
      })
    )
  )

  it.effect("names links of pages that it read to what isn't in the folder", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const report = Effect.fnUntraced(function* (more: string) {
          const { report } = yield* importFiles(space, {
            "README.md": `# Home\n\n[a](a.md) [pdf](a.pdf#page=2) [part](#home) [web](https://a.b/c) [mail](mailto:a@b.c) [page](/pages/x)\n${more}`,
            "a.md": "# A\n\n[x](x) [y](/y.md#z) [again](x) ![](b/c.png) [far](../../d)\n",
            "a.pdf": "%PDF",
            "b/d.md": "# D\n\n[x](../x)\n"
          })
          return report.problems.map(({ path, message }) => `${path}: ${message}`)
        })
        assert.deepStrictEqual(yield* report(""), [
          "a.md: Links lead to nothing in the folder: x, /y.md#z, b/c.png …",
          "b/d.md: A link leads to nothing in the folder: ../x"
        ])
        // Of pages that did not change it was told before.
        assert.deepStrictEqual(yield* report("\n![](gone.png)\n"), [
          "README.md: A link leads to nothing in the folder: gone.png"
        ])
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
          "component.mdx": "# <Component />",
          "node_modules/.hidden/x.mdx": "no page of this folder",
          "bad.md": new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x00, 0x0a]),
          "big.md": "x".repeat(Folder.maxMarkdownBytes + 1)
        })
        assert.strictEqual((yield* (yield* reader(space)).allPages).length, 42)
        for (const path of ["../outside.md", "a//b.md", "bad.md", "big.md", "p10.md", "component.mdx"]) {
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
