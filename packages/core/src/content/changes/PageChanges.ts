/**
 * Compares one page of two revisions: the changes of a revision, or the changes that a change request proposes.
 * Default: up to 500 changes are listed.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { baseRevision, type ChangeRequestNotFound } from "../../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../../change-request/store/ChangeRequestLookup.ts"
import * as JsonText from "../../schema/JsonText.ts"
import type { SpaceId, SpaceNotFound } from "../../space/Space.ts"
import { SpacePolicy, spaceNotFound } from "../../space/SpacePolicy.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Content from "../Content.ts"
import { ContentPageNotFound } from "../edits/ContentErrors.ts"
import * as ContentReader from "../ContentReader.ts"
import type { LocatedRevision } from "../reading/LocatedRevision.ts"
import * as DocumentComparison from "../documents/DocumentComparison.ts"
import { Objects } from "../store/Objects.ts"
import type { PageChanges as Changes } from "../pages/PageChange.ts"
import { Revisions } from "../revisions/Revisions.ts"

const defaultLimit = 500

export class PageChanges extends Context.Service<
  PageChanges,
  {
    /**
     * Returns the changes of a page between a revision and its parent.
     *
     * @param page Id of the page.
     * @param limit Maximum number of changes. Default: 500.
     * @throws {ContentPageNotFound}
     * @throws {SpaceNotFound}
     */
    readonly inRevision: (
      at: LocatedRevision,
      page: string,
      limit?: number
    ) => Effect.Effect<Changes, ContentPageNotFound | SpaceNotFound | StorageError>
    /**
     * Returns the changes of a page between the base revision of a change request and its current revision.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @param page Id of the page.
     * @param limit Maximum number of changes. Default: 500.
     * @throws {ChangeRequestNotFound}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly inChangeRequest: (
      space: SpaceId,
      idOrNumber: string,
      page: string,
      limit?: number
    ) => Effect.Effect<
      Changes,
      ContentPageNotFound | SpaceNotFound | ChangeRequestNotFound | Forbidden | StorageError,
      CurrentActor
    >
  }
>()("@lectern/core/content/changes/PageChanges") {
  static readonly layer = Layer.effect(
    PageChanges,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const lookup = yield* makeChangeRequestLookup
      const revisions = yield* Revisions
      const objects = yield* Objects

      const compare = Effect.fnUntraced(function* (
        contents: readonly [before: Content.Content, after: Content.Content],
        id: string,
        limit = defaultLimit
      ) {
        const [from, to] = contents.map((content) => ContentReader.make(objects, content)) as [
          ContentReader.ContentReader,
          ContentReader.ContentReader
        ]
        const [before, after] = [yield* from.page(id), yield* to.page(id)]
        const page = after ?? before
        if (page === undefined) return yield* new ContentPageNotFound({ page: id })
        const { changes, more } =
          before?.document === after?.document
            ? { changes: "[]", more: 0 }
            : yield* DocumentComparison.diff(objects, {
                before: yield* from.document(before?.document),
                after: yield* to.document(after?.document),
                limit
              })
        const summary = { object: "page-changes", id: page.id, title: page.title, ...(more > 0 && { more }) } as const
        // The field is parsed on first access, since the changes may contain the document twice and a response needs
        // only their JSON.
        return JsonText.withLazyField<Changes>(summary, "changes", changes)
      })

      return PageChanges.of({
        inRevision: Effect.fn("PageChanges.inRevision")(function* ({ space, revision, visitor }, page, limit) {
          if (visitor !== undefined) return yield* spaceNotFound(space.id)
          const [parent] = revision.parents
          const before = parent === undefined ? Content.empty : (yield* revisions.get(parent)).content
          return yield* compare([before, revision.content], page, limit)
        }),
        inChangeRequest: Effect.fn("PageChanges.inChangeRequest")(function* (id, idOrNumber, page, limit) {
          yield* policy.require(id, "see the work on this space")
          const row = yield* lookup.find(id, idOrNumber)
          const [before, after] = [yield* revisions.get(baseRevision(row)), yield* revisions.get(row.revision)]
          return yield* compare([before.content, after.content], page, limit)
        })
      })
    })
  )
}
