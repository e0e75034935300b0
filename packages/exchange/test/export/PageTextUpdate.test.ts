/** Exports of imported pages keep the pages' own text, and the style that clients write. */
import { assert, describe, it } from "@effect/vitest"
import type { Content } from "@lectern/core/content/Content"
import * as ContentDiff from "@lectern/core/content/ContentDiff"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentChanges from "@lectern/core/content/edits/ContentChanges"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import { importFiles, markdownAt, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit } from "./RandomContents.ts"
import { decoder, folder, page } from "./OddPage.ts"

describe("what was imported and not edited is exported", () => {
  const files: ReadonlyArray<readonly [string, string]> = [
    ["in any style", page],
    ["with the line ends of Windows", page.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${page}`],
    ["empty", ""],
    ["of blank lines", "\n\n  \n"],
    ["with tags and HTML that nothing closes", "{% tabs %}\n<div>\n\n**a\n\n</p>\n"],
    ["with front matter that can't be read", "---\na: [\n---\n\nText\n"],
    [
      "with annotations and footnotes",
      "A [word](#user-content-fn-1)[^1] and[^note].\n\n[^1]: Explained\n\n[^note]: Noted\n"
    ]
  ]
  for (const [name, text] of files) {
    it.effect(`as it was: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, folder(text))
          assert.strictEqual(decoder.decode((yield* exportFolder(space)).files["odd.md"]), text)
          yield* assertLaws(space)
        })
      )
    )
  }

  it.effect("as it was where it is no text, until it is edited, which is reported", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
        const folder = {
          "a.md": latin("\u00EF\u00BB\u00BF# Caf\u00E9\n\nOne caf\u00E9\n"),
          "b.md": "x\u0000y\n",
          "SUMMARY.md": latin("# Table of contents\n\n* [Caf\u00E9](a.md)\n* [B](b.md)\n")
        }
        const { report } = yield* importFiles(space, folder)
        const encoder = new TextEncoder()
        const exported = yield* exportFolder(space)
        assert.deepStrictEqual(exported.problems, [])
        for (const [path, bytes] of Object.entries(folder)) {
          assert.deepStrictEqual(exported.files[path], typeof bytes === "string" ? encoder.encode(bytes) : bytes, path)
        }
        assert.deepStrictEqual(
          report.problems.map(({ path, message }) => `${path}: ${message}`),
          ["a.md: What is not UTF-8 in it was replaced", "b.md: NUL characters in it were replaced"]
        )
        const a = yield* pageAt(space, "a")
        yield* write(space, a.id, "One caf\uFFFD\n\nTwo\n")
        const edited = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(edited.files["a.md"]), "\uFEFF# Caf\uFFFD\n\nOne caf\uFFFD\n\nTwo\n")
        assert.deepStrictEqual(edited.problems, [
          "a.md: What is no text in its file is replaced, since the page changed"
        ])
        assert.deepStrictEqual(edited.files["b.md"], encoder.encode("x\u0000y\n"))
      })
    )
  )
})

/** Writes Markdown as a client of the interface does. */
const write = Effect.fnUntraced(function* (space: SpaceId, page: string, markdown: string) {
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  let keys = 0
  const { content } = yield* ContentChanges.apply(
    draft,
    base.content,
    [{ operation: "update_page", page, document: { markdown } }],
    {
      now: yield* Timestamps.now,
      nextId: Effect.succeed("unused"),
      nextKey: () => `${space}${++keys}`,
      putBlob: () => Effect.die("no files"),
      contentOf: () => Effect.undefined
    }
  )
  yield* edits.commit({ base, draft, content })
  return { draft, before: base.content, after: content }
})

describe("a style that a client writes", () => {
  const text = "# Odd\n\n- [one](other.md)\n- two\n\n| A  | B |\n|----|---|\n| c  | d |\n\nLast *line*\n"

  it.effect("is exported, is no difference, and stays when others write the rest", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder(text))
        const { id } = yield* pageAt(space, "odd")
        const plain = yield* markdownAt(space, "odd")
        const exported = Effect.map(exportFolder(space), ({ files }) => decoder.decode(files["odd.md"]))
        yield* write(space, id, plain)
        assert.strictEqual(yield* exported, text)
        const { draft, before, after } = yield* write(space, id, plain.replaceAll("* ", "+ "))
        assert.deepStrictEqual(yield* ContentDiff.diff(draft, before, after), { changes: [], more: 0 })
        const other = text.replaceAll("- ", "+ ").replace("|----|-+ |", "|----|---|")
        assert.strictEqual(yield* exported, other)
        yield* write(space, id, (yield* markdownAt(space, "odd")).replace("Last", "The last"))
        assert.strictEqual(yield* exported, other.replace("Last", "The last"))
        yield* assertLaws(space)

        // A merge of a change of style alone conflicts with nothing, and main's wins.
        const restyled = (content: Content, style: string) =>
          Effect.gen(function* () {
            const editor = ContentEditor.make(draft, content, yield* Timestamps.now)
            yield* editor.updatePage(id, { source: draft.write({ styled: [style] }) })
            return yield* editor.finish
          })
        const main = yield* restyled(after, "+ main")
        const merged = yield* ContentMerge.merge(draft, { base: after, main, ours: yield* restyled(after, "+ ours") })
        assert.deepStrictEqual(merged.conflicts, [])
        assert.strictEqual(
          (yield* ContentReader.make(draft, merged.content).page(id))?.source,
          (yield* ContentReader.make(draft, main).page(id))?.source
        )
      })
    )
  )

  it.effect("is exported of a page that was made here", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder(text))
        yield* edit(space, (editor) => editor.insertPage({ id: "made", title: "Made" }))
        yield* write(space, "made", "- to [odd](/pages/odd)\n\n__Bold__\n")
        const { files } = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(files["made.md"]), "# Made\n\n- to [odd](odd.md)\n\n__Bold__\n")
        yield* assertLaws(space)
      })
    )
  )
})
