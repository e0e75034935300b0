/**
 * What comments are about: found when they are posted, and looked up again whenever they are shown.
 *
 * Pages that are built from a spec are addressed like any other, as whoever asks sees them now. The
 * keys of their blocks are counted anew with each version of the spec, so a comment on a block of
 * one is outdated as soon as the text there is not what it was.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import { ComputedSpecs } from "../computed/ComputedSpecs.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type { Block } from "../content/Document.ts"
import { plainText } from "../content/DocumentText.ts"
import { type DocumentIndex, indexOf } from "../content/document/DocumentIndex.ts"
import { Lru } from "../content/Lru.ts"
import { Objects } from "../content/Objects.ts"
import type { PageEntry } from "../content/Page.ts"
import * as PageTree from "../content/PageTree.ts"
import { Revisions } from "../content/Revisions.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type Comment, type CommentedPage, type CommentPost, type CommentRow, InvalidComment } from "./Comment.ts"
import type { SeenScope } from "./CommentScopes.ts"

const maxPreview = 200
const keptPlaces = 10_000

export type CommentTarget = Pick<CommentRow, "revision" | "target" | "node" | "tableCell">

/** A block of a page, a cell of it, or a cell of any table on the page. */
interface Place {
  readonly node: string | undefined
  readonly cell: CommentRow["tableCell"] | undefined
}

export class CommentTargets extends Context.Service<
  CommentTargets,
  {
    /** What a new comment is about, as it is now. */
    readonly find: (
      seen: SeenScope,
      post: CommentPost
    ) => Effect.Effect<CommentTarget, InvalidComment | StorageError, CurrentActor>
    /** What comments are about, in their order: as it is now, or as it was where it is gone. */
    readonly present: (
      seen: SeenScope,
      rows: ReadonlyArray<CommentRow>
    ) => Effect.Effect<ReadonlyArray<Comment["target"]>, StorageError, CurrentActor>
  }
>()("@lectern/core/comment/CommentTargets") {
  static readonly layer = Layer.effect(
    CommentTargets,
    Effect.gen(function* () {
      const objects = yield* Objects
      const revisions = yield* Revisions
      const specs = yield* ComputedSpecs
      const computedContents = yield* ComputedContents
      /** Documents never change: the beginning of the text at a place of one, null where it has no such place. */
      const places = new Lru<string, string | null>(keptPlaces)

      const revisionOf = ({ space, changeRequest }: SeenScope) => changeRequest?.revision ?? space.revision

      /** Looks into pages of one revision; each document is taken apart once at most. */
      const looking = Effect.fnUntraced(function* (seen: SeenScope) {
        const { content } = yield* revisions.get(revisionOf(seen))
        const sources = yield* specs.sources(seen.space, content)
        const reader = yield* computedContents.see(content, ContentReader.make(objects, content), sources)
        const indexes = new Map<string, DocumentIndex>()
        const described = new Map<string, CommentedPage>()
        return {
          pages: reader.pages,

          describe: Effect.fnUntraced(function* (page: PageEntry) {
            const known = described.get(page.id)
            if (known !== undefined) return known
            const { id, title, emoji, icon, createdAt, updatedAt } = page
            const description: CommentedPage = {
              id,
              title,
              path: yield* PageTree.path(reader, page),
              ...(emoji !== undefined && { emoji }),
              ...(icon !== undefined && { icon }),
              createdAt,
              updatedAt
            }
            described.set(id, description)
            return description
          }),

          /** The beginning of the text at a place; undefined where there is no such place. */
          preview: Effect.fnUntraced(function* (page: PageEntry, place: Place) {
            const document = page.computed === undefined ? page.document : `${page.id} ${sources?.key ?? ""}`
            if (document === undefined) return undefined
            const key = JSON.stringify([document, place.node, place.cell])
            const known = places.get(key)
            if (known !== undefined) return known ?? undefined
            const index = indexes.get(document) ?? indexOf(yield* reader.documentOf(page))
            indexes.set(document, index)
            const block = blockAt(index, place)
            const text = block && beginningOf(plainText(block))
            places.set(key, text ?? null, 1)
            return text
          })
        }
      })

      return CommentTargets.of({
        find: Effect.fnUntraced(function* (seen, { page: id, node, tableCell }) {
          const revision = revisionOf(seen)
          const invalid = (path: string, message: string) =>
            new InvalidComment({ issues: [{ path: `body.${path}`, message }] })
          if (id === undefined) {
            if (node !== undefined) return yield* invalid("page", "Expected the page that the node is in")
            if (tableCell !== undefined) return yield* invalid("page", "Expected the page that the table is in")
            return { revision }
          }
          const content = yield* looking(seen)
          const [page] = yield* content.pages([id])
          if (page === undefined) return yield* invalid("page", "There is no such page")
          if (page.computed !== undefined && tableCell !== undefined && node === undefined) {
            return yield* invalid("node", "Expected the table that the cell is in, on a page that is made from a spec")
          }
          const text = node === undefined ? undefined : yield* content.preview(page, { node, cell: undefined })
          if (node !== undefined && text === undefined) {
            return yield* invalid("node", "There is no such block on the page")
          }
          if (tableCell !== undefined && (yield* content.preview(page, { node, cell: tableCell })) === undefined) {
            return yield* invalid("tableCell", "There is no such cell in a table there")
          }
          return {
            revision,
            target: yield* content.describe(page),
            ...(node !== undefined && { node: { id: node, preview: text! } }),
            ...(tableCell !== undefined && { tableCell })
          }
        }),

        present: Effect.fnUntraced(function* (seen, rows) {
          const wanted = [...new Set(rows.flatMap(({ target }) => target?.id ?? []))]
          const content = wanted.length === 0 ? undefined : yield* looking(seen)
          const found = content === undefined ? [] : yield* content.pages(wanted)
          const pages = new Map(wanted.map((id, i) => [id, found[i]]))
          return yield* Effect.forEach(
            rows,
            Effect.fnUntraced(function* ({ space, changeRequest, review, revision, target, node, tableCell }) {
              const about = {
                space,
                ...(changeRequest !== "" && { changeRequest }),
                ...(review !== undefined && { review }),
                revision
              }
              if (target === undefined || content === undefined) return about
              const page = pages.get(target.id)
              const there = page && node && (yield* content.preview(page, { node: node.id, cell: undefined }))
              const text = page?.computed === undefined || there === node?.preview ? there : undefined
              const outdated =
                page === undefined ||
                (node !== undefined && text === undefined) ||
                (tableCell !== undefined &&
                  (yield* content.preview(page, { node: node?.id, cell: tableCell })) === undefined)
              return {
                ...about,
                page: { ...(page === undefined ? target : yield* content.describe(page)), outdated },
                ...(node !== undefined && { node: { id: node.id, preview: text ?? node.preview } }),
                ...(tableCell !== undefined && { tableCell })
              }
            })
          )
        })
      })
    })
  )
}

const beginningOf = (text: string): string =>
  Array.from(text.slice(0, maxPreview * 2))
    .slice(0, maxPreview)
    .join("")

const blockAt = ({ blocks }: DocumentIndex, { node, cell }: Place): Block | undefined => {
  const block = node === undefined ? undefined : blocks.get(node)
  if (cell === undefined) return block
  if (node !== undefined) return block !== undefined && hasCell(block, cell) ? block : undefined
  return blocks.values().find((one) => hasCell(one, cell))
}

const hasCell = ({ type, data }: Block, { record, definition }: NonNullable<CommentRow["tableCell"]>): boolean =>
  type === "table" && has(data?.records, record) && has(data?.definition, definition)

const has = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
