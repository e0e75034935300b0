/**
 * Targets of comments: validates the target of a new comment, and looks up the targets of displayed comments.
 *
 * Computed pages (built from an API specification or by an integration) are targets as well, in the form that the actor
 * sees. Each version numbers their block keys again. A comment on such a block is therefore outdated if the text at the
 * key differs.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import * as ContentReader from "../content/ContentReader.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import * as PageTree from "../content/pages/PageTree.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import { type Comment, type CommentedPage, type CommentPost, type CommentRow, InvalidComment } from "./Comment.ts"
import type { AuthorizedScope } from "./CommentScopes.ts"
import { type PreviewedTarget, TargetPreviews } from "./TargetPreviews.ts"

const maxPreviews = 10_000

export type CommentTarget = Pick<CommentRow, "revision" | "target" | "node" | "tableCell">

export class CommentTargets extends Context.Service<
  CommentTargets,
  {
    /** Validates and describes the target of a new comment in the current revision. */
    readonly find: (
      authorized: AuthorizedScope,
      post: CommentPost
    ) => Effect.Effect<CommentTarget, InvalidComment | StorageError, CurrentActor>
    /** Returns the targets of comments in order: the current state of each, or its snapshot if it no longer exists. */
    readonly present: (
      authorized: AuthorizedScope,
      rows: ReadonlyArray<CommentRow>
    ) => Effect.Effect<ReadonlyArray<Comment["target"]>, StorageError, CurrentActor>
  }
>()("@lectern/core/comment/CommentTargets") {
  static readonly layer = Layer.effect(
    CommentTargets,
    Effect.gen(function* () {
      const objects = yield* Objects
      const revisions = yield* Revisions
      const computedContents = yield* ComputedContents
      /** Cache of previews. Stored documents never change. Null if a document lacks the part. */
      const previewCache = new LruCache<string, string | null>(maxPreviews)

      const revisionOf = ({ space, changeRequest }: AuthorizedScope) => changeRequest?.revision ?? space.revision

      /** Returns functions that read pages of the scope's current revision. */
      const openTargets = Effect.fnUntraced(function* (authorized: AuthorizedScope) {
        const { content } = yield* revisions.get(revisionOf(authorized))
        const computedPages = yield* computedContents.sources(authorized.space, content)
        const sources = yield* computedPages?.complete ?? Effect.succeed(computedPages)
        const reader = yield* computedContents.readerFor(content, ContentReader.make(objects, content), sources)
        const describedPages = new Map<string, CommentedPage>()
        return {
          pages: reader.pages,

          describe: Effect.fnUntraced(function* (page: PageEntry) {
            const cachedPage = describedPages.get(page.id)
            if (cachedPage !== undefined) return cachedPage
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
            describedPages.set(id, description)
            return description
          }),

          /** Returns the previews of targets on a page. Undefined for a target that the page lacks. */
          previews: Effect.fnUntraced(function* (page: PageEntry, targets: ReadonlyArray<PreviewedTarget>) {
            const document = page.computed === undefined ? page.document : `${page.id} ${sources?.key ?? ""}`
            if (document === undefined) return targets.map(() => undefined)
            const isCacheable = reader.isCacheable(page)
            const cachedPreviews = targets.map((target) => {
              const key = JSON.stringify([document, target.node, target.cell])
              return { target, key, text: isCacheable ? previewCache.get(key) : undefined }
            })
            const unknown = cachedPreviews.filter(({ target, text }) => text === undefined && isSome(target))
            if (unknown.length > 0) {
              const texts = yield* Fallback.withFallback(
                "What comments are about could not be looked up",
                objects.threads.run(TargetPreviews, {
                  document: yield* reader.documentOf(page),
                  targets: unknown.map(({ target }) => target)
                }),
                Effect.succeed([])
              )
              for (const [i, one] of unknown.entries()) {
                one.text = texts[i] ?? null
                if (isCacheable) previewCache.set(one.key, one.text, 1)
              }
            }
            return cachedPreviews.map(({ text }) => text ?? undefined)
          })
        }
      })

      return CommentTargets.of({
        find: Effect.fnUntraced(function* (authorized, { page: id, node, tableCell }) {
          const revision = revisionOf(authorized)
          const invalid = (path: string, message: string) =>
            new InvalidComment({ issues: [{ path: `body.${path}`, message }] })
          if (id === undefined) {
            if (node !== undefined) return yield* invalid("page", "Expected the page that the node is in")
            if (tableCell !== undefined) return yield* invalid("page", "Expected the page that the table is in")
            return { revision }
          }
          const content = yield* openTargets(authorized)
          const [page] = yield* content.pages([id])
          if (page === undefined) return yield* invalid("page", "There is no such page")
          if (page.computed !== undefined && tableCell !== undefined && node === undefined) {
            return yield* invalid("node", "Expected the table that the cell is in, on a page that is computed")
          }
          const [text, cell] = yield* content.previews(page, targetsOf(node, tableCell))
          if (node !== undefined && text === undefined) {
            return yield* invalid("node", "There is no such block on the page")
          }
          if (tableCell !== undefined && cell === undefined) {
            return yield* invalid("tableCell", "There is no such cell in a table there")
          }
          return {
            revision,
            target: yield* content.describe(page),
            ...(node !== undefined && { node: { id: node, preview: text! } }),
            ...(tableCell !== undefined && { tableCell })
          }
        }),

        present: Effect.fnUntraced(function* (authorized, rows) {
          const pageIds = [...new Set(rows.flatMap(({ target }) => target?.id ?? []))]
          const content = pageIds.length === 0 ? undefined : yield* openTargets(authorized)
          const foundPages = content === undefined ? [] : yield* content.pages(pageIds)
          const pages = new Map(pageIds.map((id, i) => [id, foundPages[i]]))
          const previews = new Map<CommentRow, ReadonlyArray<string | undefined>>()
          for (const page of content === undefined ? [] : foundPages) {
            if (page === undefined) continue
            const commentsOnPage = rows.filter(({ target }) => target?.id === page.id)
            const targets = commentsOnPage.map(({ node, tableCell }) => targetsOf(node?.id, tableCell))
            const texts = yield* content!.previews(page, targets.flat())
            for (const [i, row] of commentsOnPage.entries()) previews.set(row, texts.slice(2 * i, 2 * i + 2))
          }
          return yield* Effect.forEach(
            rows,
            Effect.fnUntraced(function* (row) {
              const { space, changeRequest, review, revision, target, node, tableCell } = row
              const about = {
                space,
                ...(changeRequest !== "" && { changeRequest }),
                ...(review !== undefined && { review }),
                revision
              }
              if (target === undefined || content === undefined) return about
              const page = pages.get(target.id)
              const [blockPreview, cellPreview] = previews.get(row) ?? []
              const text = page?.computed === undefined || blockPreview === node?.preview ? blockPreview : undefined
              const outdated =
                page === undefined ||
                (node !== undefined && text === undefined) ||
                (tableCell !== undefined && cellPreview === undefined)
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

const isSome = ({ node, cell }: PreviewedTarget) => node !== undefined || cell !== undefined

/** Returns two targets of a comment: the block, and the cell. */
const targetsOf = (
  node: string | undefined,
  cell: CommentRow["tableCell"] | undefined
): ReadonlyArray<PreviewedTarget> => [
  { node, cell: undefined },
  { node, cell }
]
