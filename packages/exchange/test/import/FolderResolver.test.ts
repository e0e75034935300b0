/** Links of an imported folder: to pages, headings and files, also as other programs publish them. */
import { Contents } from "@lectern/core/content/Contents"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertLaws, exportFolder } from "../export/Exports.ts"
import { importFiles, markdownAt, newSpace, onInstance, outline, pageAt, reader } from "./Imports.ts"
import { folder } from "./ImportedFolder.ts"

describe("Links of an imported folder", () => {
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

  it.effect(
    "a link from the URL of a page with a slash at its end leads to the page, unless a file is at its path",
    () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, {
            "docs/async.md": "# Async\n\n[a](../advanced/transports#asgi) [b](../other) [c](../../other)\n",
            "docs/advanced/transports.md": "# Transports\n\n## ASGI\n",
            "docs/other.md": "# Inner\n",
            "other.md": "# Outer\n"
          })
          const [transports, outer] = [yield* pageAt(space, "docs/advanced/transports"), yield* pageAt(space, "other")]
          assert.strictEqual(
            yield* markdownAt(space, "docs/async"),
            `[a](/pages/${transports.id}#asgi) [b](/pages/${outer.id}) [c](/pages/${outer.id})\n`
          )
          yield* assertLaws(space)
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
})
