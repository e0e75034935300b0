import { assert, describe, it } from "@effect/vitest"
import { FolderImports } from "@lectern/core/content/import/FolderImports"
import { type SyntaxAhead, unparsable } from "@lectern/core/content/import/SyntaxAhead"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { Markdowns } from "@lectern/core/content/Markdowns"
import { Effect } from "effect"
import { files, newSpace, onInstance, reader } from "./Imports.ts"

const contents = {
  "SUMMARY.md": "* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n",
  "a.md": "---\nicon: star\n---\n\nSee [b](b.md).\n",
  "b.md": "As it is *now*.\n",
  "c.md": "Never begun.\n"
}

/** Parsed ahead: `a.md` as it is, `b.md` as it was before. */
const bodies: Readonly<Record<string, string>> = { "a.md": "\nSee [b](b.md).\n", "b.md": "As it was.\n" }

describe("pages that are parsed ahead", () => {
  it.effect("become what they would without, and one that changed meanwhile is parsed anew", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const folder = { files: files(contents) }
        const begun: Array<string> = []
        const taken: Array<string> = []
        const syntaxAhead: SyntaxAhead = {
          begin: (files) => Effect.sync(() => void begun.push(...files.map(({ path }) => path))),
          take: ({ path }) =>
            Effect.sync(() => {
              taken.push(path)
              const body = bodies[path]
              return body === undefined ? undefined : { body, tree: Syntax.toJson(Syntax.parse(body)!) }
            })
        }
        yield* (yield* FolderImports).importFolder(space, folder, { syntaxAhead })
        assert.deepStrictEqual(begun, ["a.md", "b.md", "c.md"])
        assert.deepStrictEqual(taken, begun)

        const markdowns = yield* Markdowns
        const content = yield* reader(space)
        const texts = new Map<string, string>()
        for (const page of yield* content.allPages) texts.set(page.title, yield* markdowns.of(page.document))
        const { id } = (yield* content.allPages).find(({ title }) => title === "B")!
        assert.deepStrictEqual(Object.fromEntries(texts), {
          A: `See [b](/pages/${id}).\n`,
          B: "As it is _now_.\n",
          C: "Never begun.\n"
        })

        // What is imported again is mostly as it was: nothing is parsed ahead.
        yield* (yield* FolderImports).importFolder(space, folder, { syntaxAhead })
        assert.lengthOf(begun, 3)
      })
    )
  )

  it.effect("keep their text as it is where it takes too long to parse", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const text = "---\ntitle: Long\n---\n\n* One *word*\n"
        const syntaxAhead: SyntaxAhead = { begin: () => Effect.void, take: () => Effect.succeed(unparsable) }
        const { report } = yield* (yield* FolderImports).importFolder(
          space,
          { files: files({ "long.md": text }) },
          { syntaxAhead }
        )
        assert.deepStrictEqual(report.problems, [
          { path: "long.md", message: "It takes too long to read, and is kept as text" }
        ])
        const content = yield* reader(space)
        const [page] = yield* content.allPages
        assert.strictEqual(page?.title, "Long")
        const { nodes } = yield* content.document(page!.document)
        assert.deepStrictEqual(
          nodes.map(({ type, data }) => [type, data?.["markdown"]]),
          [["verbatim", "* One *word*"]]
        )
      })
    )
  )
})
