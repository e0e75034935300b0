/** The examples of all rules: each wrong one has one problem, of its rule, and no right one has any. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folderOf } from "../dev/Folders.ts"
import * as FolderLint from "../../src/lint/FolderLint.ts"
import { lintRules, ruleNames } from "../../src/lint/LintRules.ts"

const settings = (rule: string) => ({ "lectern.toml": `[lint.rules]\n${rule} = "error"\n` })

describe("LintRules", () => {
  // The test of links to other websites needs a server.
  for (const rule of ruleNames.filter((name) => name !== "broken-external-link")) {
    it.effect(`${rule}: the wrong example has one problem, the right one has none`, () =>
      Effect.gen(function* () {
        const { right, wrong } = lintRules[rule]
        const [found, none] = yield* Effect.forEach([wrong, right], (files) =>
          FolderLint.run(folderOf({ ...files, ...settings(rule) }))
        )
        assert.deepStrictEqual(
          found!.problems.map(({ rule }) => rule),
          [rule]
        )
        assert.deepStrictEqual(none!.problems, [])
      })
    )
  }
})
