/** Tests folders without a table of contents. Order and titles come from navigation files of other programs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertLaws } from "../export/Exports.ts"
import { importFiles, newSpace, onInstance, outline, pageAt } from "./Imports.ts"

const decoder = new TextDecoder()

/** Returns pages without titles. */
const pagesOf = (paths: ReadonlyArray<string>) => Object.fromEntries(paths.map((path) => [path, `Text of ${path}\n`]))

/** Returns the tree of an imported folder, and the problems. Asserts that exported pages equal imported pages. */
const imported = (files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) =>
  onInstance(
    Effect.gen(function* () {
      const space = yield* newSpace
      const { report } = yield* importFiles(space, files)
      const exported = yield* assertLaws(space)
      for (const [path, text] of Object.entries(files)) {
        if (path.endsWith(".md")) assert.strictEqual(decoder.decode(exported.files[path]), text, path)
      }
      for (const [path, label] of Object.entries(links)) {
        assert.strictEqual((yield* pageAt(space, path)).linkTitle, label)
      }
      return {
        tree: yield* outline(space),
        problems: report.problems.map(({ message, path }) => `${path}: ${message}`)
      }
    })
  )

describe("the navigation of", () => {
  it.effect("MkDocs, with folders that plug-ins list", () =>
    Effect.gen(function* () {
      const { problems, tree } = yield* imported({
        "mkdocs.yml": `nav:
  - index.md
  - Guide: guide/
  - api/
  - Notes:
    - notes/first.md
    - notes/*.md
  - ...
`,
        ...pagesOf(["docs/index.md", "docs/guide/index.md", "docs/guide/a.md", "docs/api/b.md", "docs/notes/z.md"]),
        ...pagesOf(["docs/notes/first.md", "docs/notes/a.md", "docs/rest.md"])
      })
      assert.deepStrictEqual(tree, [
        "Docs (docs)",
        "Guide (guide)",
        "  A (guide/a)",
        "Api (api) group",
        "  B (api/b)",
        "Notes (notes) group",
        "  First (notes/first)",
        "  A (notes/a)",
        "  Z (notes/z)",
        "Rest (rest)"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("MkDocs, with tags of YAML that only MkDocs knows", () =>
    Effect.gen(function* () {
      const { problems, tree } = yield* imported({
        "mkdocs.yml": `site_name: !ENV [NAME, Docs]
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
nav:
  - Welcome: index.md
  - about.md
  - Guide:
    - guide/index.md
    - Second first: guide/b.md
    - Deeper:
      - guide/a.md
      - guide/gone.md
  - Empty:
    - nowhere.md
  - Elsewhere: https://example.com/
`,
        ...pagesOf(["docs/index.md", "docs/about.md", "docs/guide/index.md", "docs/guide/a.md", "docs/guide/b.md"]),
        ...pagesOf(["docs/unlisted.md", "README.md"])
      })
      assert.deepStrictEqual(tree, [
        "Welcome (docs)",
        "  Unlisted (docs/unlisted) hidden",
        "About (about)",
        "Guide (guide)",
        "  Second first (guide/b)",
        "  Deeper (guide/deeper)",
        "    A (guide/deeper/a)",
        "Elsewhere (elsewhere) link",
        "README (readme)"
      ])
      assert.deepStrictEqual(problems, [
        'mkdocs.yml: The entry "docs/guide/gone.md" has no file: there is no docs/guide/gone.md',
        'mkdocs.yml: The entry "docs/nowhere.md" has no file: there is no docs/nowhere.md'
      ])
    })
  )

  it.effect("MkDocs keeps the titles of files, and names them in menus", () =>
    Effect.gen(function* () {
      const { tree } = yield* imported(
        {
          "mkdocs.yml":
            "nav:\n- Start: index.md\n- Same: same.md\n- Head: head.md\n- None: none.md\n- Deep:\n  - deep/index.md\n",
          "docs/index.md": "---\ntitle:   The long title\n---\n\nText.\n",
          "docs/same.md": "# Same\n",
          "docs/head.md": "# The heading { #id }\n\nText.\n",
          "docs/none.md": "Text.\n",
          "docs/deep/index.md": "# Depth\n"
        },
        { docs: "Start", head: "Head", deep: "Deep" }
      )
      assert.deepStrictEqual(tree, [
        "The long title (docs)",
        "Same (same)",
        "The heading (head)",
        "None (none)",
        "Depth (deep)"
      ])
    })
  )

  it.effect("Mintlify, old and new", () =>
    Effect.gen(function* () {
      const pages = pagesOf(["start.md", "guide/a.md", "guide/b.md", "api/c.md"])
      const { tree } = yield* imported({
        ...pages,
        "docs.json": JSON.stringify({
          navigation: {
            tabs: [
              {
                tab: "Guides",
                groups: [{ group: "First", pages: ["start", { group: "More", pages: ["guide/b", "guide/a"] }] }]
              },
              { tab: "API", pages: ["api/c"] },
              { tab: "Blog", href: "https://example.com/blog" }
            ]
          }
        })
      })
      assert.deepStrictEqual(tree, [
        "Guides (guides) group",
        "  First (guides/first)",
        "    Start (guides/first/start)",
        "    More (guides/first/more)",
        "      B (guides/first/more/b)",
        "      A (guides/first/more/a)",
        "API (api) group",
        "  C (api/c)",
        "Blog (blog) link"
      ])
      const old = yield* imported({
        ...pages,
        "mint.json": JSON.stringify({ navigation: [{ group: "All", pages: ["guide/b", "guide/a", "start", "api/c"] }] })
      })
      assert.deepStrictEqual(old.tree, [
        "All (all) group",
        "  B (all/b)",
        "  A (all/a)",
        "  Start (all/start)",
        "  C (all/c)"
      ])
    })
  )

  it.effect("Microsoft, Google and Jupyter Book", () =>
    Effect.gen(function* () {
      const microsoft = yield* imported({
        "toc.yml":
          "- name: Home\n  href: index.md\n- name: Sub\n  href: sub/toc.yml\n- name: Part\n  items:\n  - name: Two\n    href: b.md\n  - name: One\n    href: a.md?x=1#y\n",
        "sub/toc.yml": "items:\n- name: Inner\n  href: inner.md\n- name: Up\n  href: ../toc.yml\n",
        ...pagesOf(["index.md", "a.md", "b.md", "sub/inner.md"])
      })
      assert.deepStrictEqual(microsoft.tree, [
        "Home (index)",
        "Sub (sub) group",
        "  Inner (sub/inner)",
        "Part (part) group",
        "  Two (part/b)",
        "  One (part/a)"
      ])
      const including = yield* imported({
        "docs/_toc.yaml": "toc:\n- include: /docs/sub/_toc.yaml\n- title: Two\n  path: two.md\n",
        "docs/sub/_toc.yaml": "toc:\n- title: One\n  path: /docs/sub/one\n",
        ...pagesOf(["docs/sub/one.md", "docs/two.md"])
      })
      assert.deepStrictEqual(including.tree, ["One (one)", "Two (two)"])
      const google = yield* imported({
        "docs/_toc.yaml":
          "toc:\n- title: Overview\n  path: /docs/overview\n- heading: More\n- title: Guides\n  section:\n  - title: Z\n    path: /docs/z\n  - title: Y\n    path: y.md\n  - title: Ext\n    path: https://example.com\n",
        ...pagesOf(["docs/overview.md", "docs/y.md", "docs/z.md"])
      })
      assert.deepStrictEqual(google.tree, [
        "Overview (overview)",
        "Guides (guides) group",
        "  Z (guides/z)",
        "  Y (guides/y)",
        "  Ext (guides/ext) link"
      ])
      const book = yield* imported({
        "_toc.yml":
          "format: jb-book\nroot: intro\nparts:\n- caption: Part\n  chapters:\n  - file: two\n    sections:\n    - file: one\n",
        ...pagesOf(["intro.md", "one.md", "two.md"])
      })
      assert.deepStrictEqual(book.tree, [
        "Intro (intro)",
        "Part (part) group",
        "  Two (part/two)",
        "    One (part/two/one)"
      ])
    })
  )

  it.effect("Hugo, by weights and the pages of folders", () =>
    Effect.gen(function* () {
      const page = (fields: string) => `---\n${fields}\n---\n\nText.\n`
      const { problems, tree } = yield* imported(
        {
          "_index.md": page("title: Home"),
          "zebra/_index.md": page("title: Zebra\nweight: 1"),
          "zebra/last.md": page("title: Last"),
          "zebra/second.md": page("title: Second\nweight: 20\nlinkTitle: 2nd"),
          "zebra/first.md": page("title: First\nweight: 3"),
          "apple/_index.md": page("title: Apple\nweight: 2"),
          "apple/zero.md": page("title: Zero\nweight: 0"),
          "apple/one.md": page("title: One\nweight: 1"),
          "none.md": page("title: None")
        },
        { "zebra/second": "2nd" }
      )
      assert.deepStrictEqual(tree, [
        "Home (_index)",
        "Zebra (zebra)",
        "  First (zebra/first)",
        "  Second (zebra/second)",
        "  Last (zebra/last)",
        "Apple (apple)",
        "  One (apple/one)",
        "  Zero (apple/zero)",
        "None (none)"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("Docusaurus, by positions and categories", () =>
    Effect.gen(function* () {
      const page = (fields: string) => `---\n${fields}\n---\n\n# Page\n`
      const { problems, tree } = yield* imported(
        {
          "intro.md": page("sidebar_position: 1\nsidebar_label: Start"),
          "z/_category_.json": '{"label": "The Z", "position": 2}',
          "z/b.md": page("sidebar_position: 1.5"),
          "z/a.md": page("sidebar_position: 2"),
          "a/_category_.yml": "label: The A\nposition: 3\n",
          "a/index.md": page("title: A itself")
        },
        { intro: "Start", a: "The A" }
      )
      assert.deepStrictEqual(tree, ["Page (intro)", "The Z (z) group", "  Page (z/b)", "  Page (z/a)", "A itself (a)"])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("names that begin with numbers", () =>
    Effect.gen(function* () {
      const { tree } = yield* imported(
        pagesOf(["10-last.md", "9-more.md", "01-first.md", "appendix.md", "2_second/a.md"])
      )
      assert.deepStrictEqual(tree, [
        "01 first (01-first)",
        "2 second (2_second) group",
        "  A (2_second/a)",
        "9 more (9-more)",
        "10 last (10-last)",
        "Appendix (appendix)"
      ])
    })
  )

  it.effect("a file that can't be read is reported, and the folders make the tree", () =>
    Effect.gen(function* () {
      for (const [name, text] of [
        ["mkdocs.yml", "nav:\n - a: [b\n"],
        ["docs.json", "{"],
        ["toc.yml", "- a: b: c\n"]
      ] as const) {
        const { problems, tree } = yield* imported({ [name]: text, ...pagesOf(["b.md", "a.md"]) })
        assert.deepStrictEqual(tree, ["A (a)", "B (b)"])
        assert.match(problems[0]!, /: The navigation is not read: /)
      }
    })
  )
})
