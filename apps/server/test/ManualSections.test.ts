/** The manual as sections: which pages belong to which, and how links lead from one to another. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { FolderFile } from "@lectern/exchange/import/Folder"
import { Effect } from "effect"
import * as ManualSections from "../src/ManualSections.ts"

const fileOf = (path: string, text: string): FolderFile => ({
  path,
  size: text.length,
  bytes: () => Effect.succeed(new TextEncoder().encode(text))
})

const textOf = (files: ReadonlyArray<FolderFile>, path: string) =>
  Effect.map(files.find((file) => file.path === path)!.bytes(), (bytes) => new TextDecoder().decode(bytes))

describe("Sections of the manual", () => {
  it.effect("have the pages of their groups, and the first has all other files", () =>
    Effect.gen(function* () {
      const summary = `# Contents

* [Home](README.md)

## Guides

* [Write](guides/write.md)

## Self-hosting

* [Run](run/run.md)

## Unknown

* [Other](other.md)
`
      const names = ["README.md", "guides/write.md", "run/run.md", "other.md", "picture.png", ".gitbook.yaml"]
      const files = [fileOf("SUMMARY.md", summary), ...names.map((name) => fileOf(name, name))]
      const [use, embed, run, reference] = yield* ManualSections.foldersOf(files)
      const pathsOf = (section: ReadonlyArray<FolderFile> = []) => section.map(({ path }) => path)
      assert.deepStrictEqual(pathsOf(use), [
        "SUMMARY.md",
        "README.md",
        "guides/write.md",
        "other.md",
        "picture.png",
        ".gitbook.yaml"
      ])
      assert.deepStrictEqual(pathsOf(run), ["SUMMARY.md", "run/run.md", ".gitbook.yaml"])
      for (const section of [embed, reference])
        assert.deepStrictEqual(pathsOf(section), ["SUMMARY.md", ".gitbook.yaml"])
      // The only group of a section needs no title.
      assert.match(yield* textOf(run!, "SUMMARY.md"), /^# Table of contents\s+\* \[Run\]\(run\/run\.md\)\s*$/)
      assert.notInclude(yield* textOf(run!, "SUMMARY.md"), "Home")
      assert.include(yield* textOf(use!, "SUMMARY.md"), "## Unknown")
    })
  )

  it("name every group of the manual", () => {
    const summary = readFileSync(join(import.meta.dirname, "../../../docs/SUMMARY.md"), "utf8")
    const groups = Array.from(summary.matchAll(/^## (.*)$/gm), ([, title]) => title!)
    const named: ReadonlyArray<string> = ManualSections.manualSections.flatMap(({ groups }) => groups)
    assert.sameMembers(
      groups,
      named.filter((name) => name !== "")
    )
  })

  it.effect("link to pages of other sections by their ids, but not in code", () =>
    Effect.gen(function* () {
      const text = `[a](../run/run.md) [b](../run/run.md#stop) [c](write.md) <a href="../run/run.md">d</a> \`[e](../run/run.md)\`

\`\`\`md
[f](../run/run.md)
\`\`\`
`
      const urls = new Map([["run/run.md", "/spaces/s/pages/p"]])
      const files = ManualSections.withLinks([fileOf("guides/text.md", text)], urls)
      assert.strictEqual(
        yield* textOf(files, "guides/text.md"),
        `[a](/spaces/s/pages/p) [b](/spaces/s/pages/p#stop) [c](write.md) <a href="/spaces/s/pages/p">d</a> \`[e](../run/run.md)\`

\`\`\`md
[f](../run/run.md)
\`\`\`
`
      )
    })
  )
})
