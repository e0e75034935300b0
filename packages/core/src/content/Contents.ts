/**
 * Reads content as callers see it: of a space's main line, of a change request, of any revision.
 * `locate` finds the revision and asks once whether the actor may see it; the rest read from there.
 */
import { Context, Effect, Layer } from "effect"
import type { Answered as AnsweredDocument } from "@lectern/document/answered/Answered"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequest, ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { ChangeRequestLookup } from "../change-request/ChangeRequestLookup.ts"
import { ChangeRequests } from "../change-request/ChangeRequests.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import { ComputedSources } from "../computed/ComputedSources.ts"
import type * as Evaluations from "../evaluation/Evaluations.ts"
import type { VisitorForm } from "../evaluation/ShowDocument.ts"
import { Instance } from "../identity/Instance.ts"
import { InstalledBlocks } from "../integration/InstalledBlocks.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import type { StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import type * as Resources from "./ContentResources.ts"
import { Markdowns } from "./documents/Markdowns.ts"
import type { ContentPageNotFound } from "./edits/ContentErrors.ts"
import type { FileNotFound } from "./files/Downloads.ts"
import type { FileEntry } from "./files/File.ts"
import type { PageId } from "./pages/Page.ts"
import { PageAliases } from "./pages/PageAliases.ts"
import { PageConditions } from "./pages/PageConditions.ts"
import * as FileReads from "./reading/FileReads.ts"
import type { ContentTarget, Located, ReadOptions } from "./reading/Located.ts"
import * as Locating from "./reading/Locating.ts"
import * as PageReads from "./reading/PageReads.ts"
import * as RevisionChanges from "./reading/RevisionChanges.ts"
import * as RevisionReads from "./reading/RevisionReads.ts"
import type { RevisionRow } from "./revisions/Revision.ts"
import { type RevisionNotFound, Revisions } from "./revisions/Revisions.ts"
import { Objects } from "./store/Objects.ts"

export class Contents extends Context.Service<
  Contents,
  {
    /**
     * Finds the revision of a space, of a change request or by its own id that the other methods read from, where
     * the actor may see it. `RevisionNotFound` for a revision of another space.
     */
    readonly locate: (
      target: ContentTarget
    ) => Effect.Effect<
      Located,
      SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | StorageError,
      CurrentActor
    >
    /** Answers the revision as a resource: its pages and files, and who made it. */
    readonly revision: (at: Located, options?: ReadOptions) => Effect.Effect<Resources.Revision, StorageError>
    /** The tree of pages, without their documents. */
    readonly pages: (at: Located, options?: ReadOptions) => Effect.Effect<Resources.Pages, StorageError>
    /** One page with its document, as Markdown unless asked otherwise. */
    readonly page: (
      at: Located,
      page: string,
      options?: ReadOptions & {
        readonly format?: Resources.PageFormat
        /** Shows the document as it reads (see `Evaluations`). Default: false. */
        readonly evaluated?: Evaluations.Evaluated
        /** Vocabulary of a visitor's document (see `VisitorForm`). Default: `hosted`. */
        readonly vocabulary?: Exclude<VisitorForm, "markdown">
      }
    ) => Effect.Effect<Resources.Page, ContentPageNotFound | StorageError>
    /**
     * The document of a page and nothing around it, as it is stored unless asked otherwise. Groups and links have
     * none.
     */
    readonly document: (
      at: Located,
      page: string,
      options?: ReadOptions & { readonly evaluated?: Evaluations.Evaluated }
    ) => Effect.Effect<AnsweredDocument, ContentPageNotFound | StorageError>
    /**
     * The page that stands at a path, such as `guide/start`, in any case. Links stand at none. In the main content of
     * a space it is the one that stood there last, where none does now.
     */
    readonly pageAt: (
      at: Located,
      path: string,
      options?: ReadOptions
    ) => Effect.Effect<PageId, ContentPageNotFound | StorageError>
    /**
     * Lists the files of a revision in the order of their ids, 50 to a page unless `limit` says otherwise (at most
     * 1,000), with their URLs (see `FileUrls`).
     */
    readonly files: (
      at: Located,
      params: PageParams & ReadOptions
    ) => Effect.Effect<ListPage<Resources.File>, InvalidCursor | StorageError>
    /**
     * Answers one file of a revision with its URL (see `FileUrls`); `FileNotFound` where the revision has none by that
     * id.
     */
    readonly file: (
      at: Located,
      file: string,
      options?: ReadOptions
    ) => Effect.Effect<Resources.File, FileNotFound | StorageError>
    /** Changes of the revision against the one that it came from. */
    readonly changes: (at: Located, limit?: number) => Effect.Effect<Resources.Changes, SpaceNotFound | StorageError>
    /** Changes from one content of a space to another. */
    readonly compare: (
      space: SpaceId,
      before: RevisionRow,
      after: RevisionRow,
      limit?: number
    ) => Effect.Effect<Resources.Changes, StorageError>
    /** The change request that a revision came of, as it is now; undefined where it came of none. */
    readonly mergedFrom: (at: Located) => Effect.Effect<ChangeRequest | undefined, StorageError>
    /** How a file of a revision is shown. */
    readonly presentFile: (
      space: SpaceId,
      revision: RevisionRow["id"],
      file: FileEntry
    ) => Effect.Effect<Resources.File>
  }
>()("@lectern/core/content/Contents") {
  static readonly make = Effect.gen(function* () {
    const changes = yield* RevisionChanges.make
    return Contents.of({
      locate: yield* Locating.make,
      ...(yield* RevisionReads.make(changes)),
      ...(yield* PageReads.make),
      ...(yield* FileReads.make),
      ...changes
    })
  })

  static readonly layerNoDeps = Layer.effect(Contents, this.make)

  static readonly layer = wired(Contents, this.make, [
    ChangeRequestLookup.layer,
    ChangeRequests.layer,
    ComputedContents.layer,
    ComputedSources.layer,
    InstalledBlocks.layer,
    Instance.layer,
    Markdowns.layer,
    Objects.layer,
    PageAliases.layer,
    PageConditions.layer,
    Paging.layer,
    Revisions.layer,
    SpacePolicy.layer
  ])
}
