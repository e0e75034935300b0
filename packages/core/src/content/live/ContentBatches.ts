/**
 * Prepares and applies batches of content changes. Validates the input, fetches files that are specified by URL, and
 * applies the batch to a content in memory, completely or not at all.
 */
import { Effect } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import { GuardedFetch } from "../../fetch/GuardedFetch.ts"
import { makeRunHook } from "../../hook/BeforeHooks.ts"
import { Ids } from "../../identity/Ids.ts"
import { PublicUrl } from "../../identity/PublicUrl.ts"
import { InstalledBlocks } from "../../integration/InstalledBlocks.ts"
import { makeInstanceUrls } from "../../link/InstanceUrls.ts"
import { accepting } from "../../schema/Input.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { SpaceId } from "../../space/Space.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as StoredBlob from "../../storage/StoredBlob.ts"
import type { Content } from "../Content.ts"
import * as ContentReader from "../ContentReader.ts"
import { Contents } from "../Contents.ts"
import { type ContentChange, ContentChangeBatch } from "../edits/ContentChange.ts"
import * as ContentChanges from "../edits/ContentChanges.ts"
import * as AllowedFiles from "../files/AllowedFiles.ts"
import * as InsertedFiles from "../files/InsertedFiles.ts"
import type { RevisionId } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { type ObjectDraft, Objects } from "../store/Objects.ts"
import * as SpecWarnings from "./SpecWarnings.ts"

const acceptBatch = accepting(ContentChangeBatch)

/** A validated batch. Its files with a URL are fetched. */
export interface PreparedBatch {
  readonly changes: ReadonlyArray<ContentChange>
  /** Applies the batch to a content. `base`: revision that `revert_page` reverts to by default. */
  readonly apply: (
    draft: ObjectDraft,
    content: Content,
    base: RevisionId
  ) => Effect.Effect<ContentChanges.AppliedChanges, ContentChanges.ChangeError | StorageError>
}

export const makeContentBatches = Effect.gen(function* () {
  const ids = yield* Ids
  const putBlob = yield* StoredBlob.make
  const objects = yield* Objects
  const revisions = yield* Revisions
  const contents = yield* Contents
  const fetcher = yield* GuardedFetch
  const publicUrl = yield* PublicUrl
  const ownUrls = yield* makeInstanceUrls
  const installedBlocks = yield* InstalledBlocks
  const warningsOf = yield* SpecWarnings.make
  const runHook = yield* makeRunHook

  return {
    /**
     * Prepares a batch for a space. Files are fetched, and the hook `upload` of the host runs, only after
     * `checkPermission` succeeds.
     */
    prepare: Effect.fnUntraced(function* <E>(
      space: SpaceId,
      input: ReadonlyArray<ContentChange>,
      checkPermission: Effect.Effect<unknown, E, CurrentActor>
    ) {
      const batch = yield* acceptBatch({ changes: input })
      const actor = yield* CurrentActor
      const remoteFiles = InsertedFiles.remoteFilesOf(batch.changes)
      const checkOnce = yield* Effect.cached(checkPermission)
      if (remoteFiles.length > 0) yield* checkOnce
      const fetched = yield* InsertedFiles.fetch(fetcher, remoteFiles)
      const changes = yield* AllowedFiles.allowed(runHook, space, batch.changes, fetched, checkOnce)
      return {
        changes,
        apply: Effect.fnUntraced(function* (draft, content, base) {
          return yield* ContentChanges.apply(draft, content, changes, {
            now: yield* Timestamps.now,
            nextId: ids.next,
            nextKey: ids.key,
            putBlob,
            fileAt: (url) => fetched.get(url),
            fenced: yield* installedBlocks.fenced(space),
            refsOf: (urls) => Effect.provideService(ownUrls.refs(space, urls), CurrentActor, actor),
            contentOf: (revision) =>
              (revision === undefined ? revisions.get(base) : revisions.find(space, revision)).pipe(
                Effect.map((row) => row.content),
                Effect.catchTag("RevisionNotFound", () => Effect.succeed(undefined))
              )
          })
        })
      } satisfies PreparedBatch
    }),

    /** Returns the response for an applied batch. `path`: URL path from the space to the changed content. */
    present: Effect.fnUntraced(function* (
      space: SpaceId,
      revision: RevisionId,
      path: string,
      applied: ContentChanges.AppliedChanges
    ) {
      const location = `${publicUrl}/v1/spaces/${space}${path}/content/page`
      const reader = ContentReader.make(objects, applied.content)
      const files = yield* Effect.forEach(applied.insertedFiles, ({ file }) => reader.file(file))
      const pages = applied.changes.flatMap((one) => (one.object === "deleted_page" ? [] : [one.page]))
      const warnings = yield* warningsOf(space, applied.content, pages)
      return {
        changes: applied.changes.map((change) =>
          change.object === "deleted_page"
            ? change
            : {
                ...change,
                page: { object: "page" as const, id: change.page, urls: { location: `${location}/${change.page}` } }
              }
        ),
        ...(files.length > 0 && {
          insertedFiles: yield* Effect.forEach(files, (file) => contents.presentFile(space, revision, file!))
        }),
        ...(warnings.length > 0 && { warnings })
      }
    })
  }
})
