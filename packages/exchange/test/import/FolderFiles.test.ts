/** Tests files of a folder whose names start with a dot, and files that links name with a different folder or case. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertLaws, exportFolder } from "../export/Exports.ts"
import { importFiles, markdownAt, newSpace, onInstance, outline, reader } from "./Imports.ts"
import { png } from "./ImportedFolder.ts"

const encoder = new TextEncoder()
const bytesOf = (text: string | Uint8Array) => (typeof text === "string" ? encoder.encode(text) : text)

describe("names that begin with a dot", () => {
  const pages = {
    "README.md": "# Home\n\n[.NET](.net.md) and [more](topic/.env.md)\n",
    ".net.md": "# .NET\n",
    "topic/README.md": '# Topic\n\n{% include ".gitbook/includes/note.md" %}\n',
    "topic/.env.md": "Text.\n",
    "topic/.gitbook/includes/note.md": "---\ntitle: A note\n---\n\nReused.\n",
    "topic/.gitbook/assets/plan.bin": new Uint8Array([1, 2]),
    "topic/.gitbook/notes.md": "# Notes\n",
    "topic/.gitbook/vars.yaml": "a: b\n"
  }
  const others = {
    ".github/PULL_REQUEST_TEMPLATE.md": "What?\n",
    ".github/workflows/test.yml": "on: push\n",
    ".vscode/a.json": "{}",
    ".vscode/b.json": "{}",
    ".gitignore": "dist\n"
  }
  const summary =
    "* [Home](README.md)\n* [.NET](.net.md)\n* [Topic](topic/README.md)\n  * [Environment](topic/.env.md)\n"

  for (const [where, own, expected] of [
    [
      "a table of contents",
      { "SUMMARY.md": summary },
      ["Home (readme)", ".NET (.net)", "Topic (topic)", "  Environment (topic/.env)"]
    ],
    ["no table of contents", {}, ["Home (readme)", ".NET (.net)", "Topic (topic)", "  .env (topic/.env)"]]
  ] as const) {
    it.effect(`lose nothing silently, with ${where}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const { report } = yield* importFiles(space, { ...own, ...pages, ...others })
          assert.deepStrictEqual(yield* outline(space), [...expected])
          assert.deepStrictEqual(
            report.problems.map(({ path, message }) => `${path}: ${message}`),
            [
              ".github/workflows/test.yml: It is left out: no page leads to it",
              ".vscode: 2 files are left out, since no page leads to them: a.json, b.json",
              ".gitignore: It is left out: no page leads to it",
              ".github/PULL_REQUEST_TEMPLATE.md: It is left out: a folder whose name begins with a dot has no pages"
            ]
          )
          assert.deepStrictEqual(
            (yield* (yield* reader(space)).reusableContents).map(({ title }) => title),
            ["A note"]
          )
          assert.include(yield* markdownAt(space, "topic"), "{% include")
          const { files } = yield* exportFolder(space)
          for (const [path, text] of Object.entries({ ...own, ...pages })) {
            assert.deepStrictEqual(files[path], bytesOf(text), path)
          }
          yield* assertLaws(space)
        })
      )
    )
  }
})

describe("a file that a link names with another folder or case", () => {
  const find = (files: Readonly<Record<string, string | Uint8Array>>) =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, { ...files, "plain.md": "Text.\n" })
        const { files: exported } = yield* exportFolder(space)
        for (const path of report.added) assert.deepStrictEqual(exported[path], bytesOf(files[path] ?? "Text.\n"), path)
        yield* assertLaws(
          space,
          report.problems.filter(({ message }) => !message.startsWith("It is left out"))
        )
        return {
          added: report.added.filter((path) => !path.endsWith(".md")),
          problems: report.problems.map(({ path, message }) => `${path}: ${message}`)
        }
      })
    )

  it.effect("is the one of that name among the assets", () =>
    Effect.gen(function* () {
      const page =
        "![](.gitbook/assets/Logo.PNG) ![](../../.gitbook/asset/my%20plan.png)\n\n[pdf](assets/Plan.pdf#page=2)\n\n" +
        "![](../.gitbook/assets/cafe\u0301.png)\n"
      const { added, problems } = yield* find({
        "a/b/page.md": page,
        ".gitbook/assets/logo.png": png,
        ".gitbook/assets/my plan.png": png,
        ".gitbook/assets/sub/plan.pdf": "pdf",
        ".gitbook/assets/caf\u00e9.png": png
      })
      assert.deepStrictEqual(added, [
        ".gitbook/assets/café.png",
        ".gitbook/assets/logo.png",
        ".gitbook/assets/my plan.png",
        ".gitbook/assets/sub/plan.pdf"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("is a picture anywhere, if it is the only one", () =>
    Effect.gen(function* () {
      const { added, problems } = yield* find({
        "guide/page.md": "![](images/one.png) ![](images/two.png) [x](../config.json)\n",
        "images/one.png": png,
        "a/two.png": png,
        "b/Two.png": png,
        "c/config.json": "{}"
      })
      assert.deepStrictEqual(added, ["a/two.png", "images/one.png"])
      assert.deepStrictEqual(problems, [
        "b/Two.png: It is left out: no page leads to it",
        "c/config.json: It is left out: no page leads to it",
        "guide/page.md: A link leads to nothing in the folder: ../config.json"
      ])
    })
  )

  it.effect("stays what it says if there are several of the name", () =>
    Effect.gen(function* () {
      const { problems } = yield* find({
        "page.md": "![](images/one.png) ![](two.png)\n",
        ".gitbook/assets/a/one.png": png,
        ".gitbook/assets/b/one.png": png,
        "x/TWO.png": png,
        "y/Two.png": png
      })
      assert.deepStrictEqual(problems, [
        "x/TWO.png: It is left out: no page leads to it",
        "y/Two.png: It is left out: no page leads to it",
        "page.md: Links lead to nothing in the folder: images/one.png, two.png"
      ])
    })
  )
})
