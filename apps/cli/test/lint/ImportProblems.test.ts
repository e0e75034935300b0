/** Problems of an import that are completed or removed for authors. */
import { assert, describe, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import * as FolderPlan from "@lectern/exchange/import/FolderPlan"
import { Effect } from "effect"
import * as ImportProblems from "../../src/lint/ImportProblems.ts"
import * as MarkdownFile from "../../src/lint/MarkdownFile.ts"
import type { Problem } from "../../src/lint/Problems.ts"

const brokenLink = (url: string): Problem => ({
  path: "a.mdx",
  rule: "broken-link",
  message: `A link leads to nothing in the folder: ${url}`
})

describe("ImportProblems", () => {
  it.effect("are no programs that MDX imports without their extension, but content", () =>
    Effect.gen(function* () {
      const text = "# A\n\nimport Cards from '/cards/3.17'\n\nimport Note from '/_note.mdx'\n"
      const file = Folder.file("a.mdx", text)
      const problems = yield* ImportProblems.complete([brokenLink("/cards/3.17"), brokenLink("/_note.mdx")], {
        plan: yield* FolderPlan.make({ files: [file] }),
        prefix: "",
        findings: [],
        fileAt: () => MarkdownFile.parse("a.mdx", new TextEncoder().encode(text))
      })
      assert.deepStrictEqual(
        problems.map(({ line, message }) => [line, message.slice(message.indexOf(": ") + 2)]),
        [[5, "/_note.mdx"]]
      )
    })
  )
})
