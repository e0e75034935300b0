/** Random contents for the laws of exports, including contents that no author would write. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { Block, ContentRef } from "@lectern/document/Document"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Text from "@lectern/document/Text"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import * as fc from "fast-check"
import { documentOf } from "../../../core/test/content/Documents.ts"

export const edit = Effect.fnUntraced(function* (
  space: SpaceId,
  change: (editor: ContentEditor.ContentEditor) => Effect.Effect<unknown, unknown>
) {
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  const editor = ContentEditor.make(draft, base.content, yield* Timestamps.now)
  yield* Effect.orDie(change(editor))
  yield* edits.commit({ base, draft, content: yield* editor.finish })
})

export const written = (text: string) => {
  let keys = 0
  return Markdown.parse(text, { nextKey: () => `w${keys++}` }).document
}

export const link = (text: string, ref: ContentRef): Block => ({
  object: "block",
  type: "paragraph",
  key: `p${text}`,
  nodes: [
    {
      object: "inline",
      type: "link",
      data: { ref },
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    }
  ]
})

const hostile = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "README",
    "index",
    "SUMMARY",
    "con",
    "a.md",
    "é",
    "**b**",
    "[x](y)",
    "# h",
    "- l",
    "1. n",
    "<i>",
    "&amp;",
    "x--y"
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(..."#*[]()<>!\\`_~&;:|-+.\"' \n\tab1"), minLength: 1, maxLength: 8 })
)
const slugs = hostile
  .map((text) => text.replace(/[\s\p{Cc}/?#\\%]/gu, "") || "s")
  .filter((slug) => !/^\.{1,2}$/.test(slug))

export const randomPages = fc.array(
  fc.record({
    type: fc.constantFrom("document" as const, "document" as const, "group" as const, "link" as const),
    title: hostile.map((text) => Text.toLine(text) || "x"),
    url: hostile.filter((url) => !url.includes("\0") && url.isWellFormed()),
    slug: slugs.filter((slug) => slug.isWellFormed()),
    parent: fc.nat(6),
    ref: fc.nat(14),
    hidden: fc.boolean(),
    text: fc.array(
      fc.constantFrom(
        "# a",
        "text",
        "- x\n- y",
        "{% hint %}\nh\n{% endhint %}",
        "**",
        "`c`",
        "<div>",
        "---",
        "| a |\n| - |",
        "[l](a.md)",
        "[^1]: n"
      ),
      { maxLength: 4 }
    ),
    extra: fc.constantFrom(
      {},
      { emoji: "🚀" },
      { frontMatter: "a: 1" },
      { frontMatter: "no yaml: [" },
      { description: "d: e" }
    )
  }),
  { maxLength: 9 }
)

export type RandomPages = typeof randomPages extends fc.Arbitrary<infer A> ? A : never

/** Inserts the pages. Their ids are `id0`, `id1` and so on. */
export const fill = Effect.fnUntraced(function* (editor: ContentEditor.ContentEditor, pages: RandomPages) {
  for (const [i, { type, title, url, slug, parent, hidden, text, extra }] of pages.entries()) {
    yield* editor.insertPage({
      id: `id${i}`,
      type,
      title,
      slug,
      parent: parent < i && pages[parent]!.type !== "link" ? `id${parent}` : null,
      onConflict: "suffix",
      ...extra,
      ...(hidden && { hidden }),
      ...(type === "document" && { document: serialize(written(text.join("\n\n"))) }),
      ...(type === "link" && { target: { kind: "url", url } })
    })
  }
  for (const [i, { type, ref }] of pages.entries()) {
    if (type !== "document" || pages[ref]?.type !== "document") continue
    const before = yield* documentOf(editor, (yield* editor.page(`id${i}`))!.document)
    const nodes = [link("to", { kind: "page", page: `id${ref}` }), ...before.nodes]
    yield* editor.replaceDocument(`id${i}`, serialize({ ...before, nodes }))
  }
})
