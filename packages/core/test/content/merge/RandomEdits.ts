/** Random contents and edits of them, for the laws of merging. */
import { Effect } from "effect"
import * as fc from "fast-check"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { Content } from "@lectern/core/content/Content"
import type { Block } from "@lectern/document/Document"
import type { FileEntry } from "@lectern/core/content/files/File"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { document, documentOf, paragraph } from "../Documents.ts"

const operations = [
  "insert",
  "insert",
  "nest",
  "rename",
  "slug",
  "move",
  "remove",
  "write",
  "write",
  "cut",
  "emoji",
  "variable",
  "file",
  "reusable"
] as const

const editOf = (...names: ReadonlyArray<(typeof operations)[number]>) =>
  fc.record({
    operation: fc.constantFrom(...names),
    page: fc.nat(40),
    other: fc.nat(40),
    at: fc.nat(6)
  })

export type Edit = ReturnType<typeof editOf> extends fc.Arbitrary<infer A> ? A : never

/** Enough edits to create a tree of pages. */
export const beginning = fc.array(editOf(...operations), { minLength: 5, maxLength: 40 })

/**
 * Any edits; or mostly moves, which can create cycles; or a deep chain of pages, so that two chains exceed the maximum
 * depth.
 */
export const edits = fc.oneof(
  fc.array(editOf(...operations), { maxLength: 12 }),
  fc.array(editOf("move", "move", "move", "insert", "remove"), { maxLength: 12 }),
  fc.array(editOf("nest", "nest", "move"), { maxLength: 16 })
)

const skipped = () => Effect.void

/** Applies edits, and skips those that fail. Each text contains a word that occurs nowhere else. */
export const apply = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  list: ReadonlyArray<Edit>,
  side: string
) {
  const editor = ContentEditor.make(draft, content, Timestamps.at(side.length * 1000))
  let inserted: string | undefined
  for (const [n, { operation, page, other, at }] of list.entries()) {
    const word = `${side}word${n}x`
    const pages = yield* editor.allPages
    const id = pages[page % Math.max(1, pages.length)]?.id ?? "none"
    const target = other % (pages.length + 1) === pages.length ? null : pages[other % (pages.length + 1)]!.id
    const step: Effect.Effect<unknown, unknown> = Effect.gen(function* () {
      switch (operation) {
        case "insert":
          return yield* editor.insertPage({
            id: `${side}${n}`,
            title: at === 0 ? "Same title" : `Title t${word}`,
            parent: target,
            at,
            document: document(paragraph(`${side}k${n}`, `Text ${word}`))
          })
        case "nest":
          // Nests the page below the last inserted page, if any.
          return yield* editor.insertPage({ id: `${side}${n}`, title: `Nested t${word}`, parent: inserted ?? target })
        case "rename":
          return yield* editor.updatePage(id, { title: `Renamed t${word}` })
        case "slug":
          return yield* editor.updatePage(id, { slug: `slug-${other % 4}` })
        case "move":
          return yield* editor.movePage(id, { parent: target, at })
        case "remove":
          return at === 0 ? yield* editor.removePage(id) : undefined
        case "write": {
          const blocks: Array<Block> = Array.from((yield* documentOf(editor, (yield* editor.page(id))?.document)).nodes)
          if (at < blocks.length) blocks[at] = paragraph(blocks[at]!.key, `Rewritten ${word}`)
          else blocks.splice(other % (blocks.length + 1), 0, paragraph(`${side}k${n}`, `Added ${word}`))
          return yield* editor.replaceDocument(id, document(...blocks))
        }
        case "cut": {
          const { nodes } = yield* documentOf(editor, (yield* editor.page(id))?.document)
          return yield* editor.replaceDocument(id, document(...nodes.filter((_, i) => i !== at)))
        }
        case "emoji":
          return yield* editor.updatePage(id, { emoji: at === 0 ? undefined : `e${other % 3}` })
        case "variable":
          return yield* editor.setVariable(`name${page % 3}`, at === 0 ? undefined : word)
        case "file":
          return yield* at === 0
            ? editor.removeFile(`f${page % 3}`)
            : editor.putFile({
                id: `f${page % 3}`,
                name: `${word}.txt`,
                contentType: "text/plain",
                size: at,
                blob: `blob${other % 2}`
              } as unknown as FileEntry)
        case "reusable":
          return yield* at === 0
            ? editor.removeReusableContent(`r${page % 3}`)
            : editor.putReusableContent({ id: `r${page % 3}`, title: `Reusable ${word}` })
      }
    })
    yield* Effect.catch(step, skipped)
    if ((yield* editor.page(`${side}${n}`)) !== undefined) inserted = `${side}${n}`
  }
  return yield* editor.finish
})
