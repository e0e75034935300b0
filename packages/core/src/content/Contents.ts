/**
 * Reads content for clients: the main content of a space, the content of a change request, or any revision. `locate`
 * finds the revision and checks once that the actor may read it. The other methods read the located revision.
 */
import { Context, Effect, Layer } from "effect"
import type { WireDocument as AnsweredDocument } from "@lectern/document/wire/WireDocument"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequest, ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import type * as Evaluations from "../evaluation/Evaluations.ts"
import type { VisitorForm } from "../evaluation/PresentDocument.ts"
import { type InvalidCursor, type ListPage } from "../paging/Paging.ts"
import type { InvalidInput } from "../schema/Input.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import type { PageParams } from "../storage/PageParams.ts"
import type { StorageError } from "../storage/Storage.ts"
import { makeComputedReads } from "./ComputedReads.ts"
import type * as Resources from "./ContentResources.ts"
import type { ContentPageNotFound } from "./edits/ContentErrors.ts"
import type { FileNotFound } from "./files/Downloads.ts"
import type { FileEntry } from "./files/File.ts"
import type { PageId } from "./pages/Page.ts"
import * as FileReads from "./reading/FileReads.ts"
import type { ContentTarget, LocatedRevision, ReadOptions } from "./reading/LocatedRevision.ts"
import * as RevisionLocator from "./reading/RevisionLocator.ts"
import * as PageReads from "./reading/PageReads.ts"
import * as RevisionChanges from "./reading/RevisionChanges.ts"
import * as RevisionReads from "./reading/RevisionReads.ts"
import type { RevisionRow } from "./revisions/Revision.ts"
import { type RevisionNotFound } from "./revisions/Revisions.ts"

type SourceFailure = SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | InvalidInput | StorageError

export class Contents extends Context.Service<
  Contents,
  {
    /**
     * Finds the main content of a space, the content of a change request, or an earlier revision. Pass the result to
     * the other methods. It is a snapshot: call `locate` again to see later writes.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {RevisionNotFound} If the space has no revision with the id.
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const main = await lectern.content.locate({ space: space.id })
     * const { pages } = await lectern.content.pages(main)
     * console.log(pages.map(({ title }) => title))
     * ```
     */
    readonly locate: (
      target: ContentTarget
    ) => Effect.Effect<
      LocatedRevision,
      SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | StorageError,
      CurrentActor
    >
    /** Returns the revision as a resource: its pages and files, and its merged change request. */
    readonly revision: (at: LocatedRevision, options?: ReadOptions) => Effect.Effect<Resources.Revision, StorageError>
    /** Returns the tree of pages, without their documents. */
    readonly pages: (at: LocatedRevision, options?: ReadOptions) => Effect.Effect<Resources.Pages, StorageError>
    /**
     * Returns a page with its document.
     *
     * @param page Id of the page.
     * @param options.format Format of the document. Default: `markdown`.
     * @throws {ContentPageNotFound}
     * @example
     * ```ts
     * const main = await lectern.content.locate({ space: space.id })
     * const page = await lectern.content.page(main, await lectern.content.pageAt(main, "start"))
     * if ("markdown" in page) console.log(page.title, page.markdown)
     * ```
     */
    readonly page: (
      at: LocatedRevision,
      page: string,
      options?: ReadOptions & {
        readonly format?: Resources.PageFormat
        /**
         * Evaluates the expressions and conditions of the document. `deterministic-only`: only those that are equal for
         * all readers. Default: false.
         */
        readonly evaluated?: Evaluations.Evaluated
        /**
         * Vocabulary of a visitor's document. `hosted`: that of the hosted service, for API clients. `lectern`: Lectern's
         * own. Default: `hosted`.
         */
        readonly vocabulary?: Exclude<VisitorForm, "markdown">
      }
    ) => Effect.Effect<Resources.Page, ContentPageNotFound | StorageError>
    /**
     * Returns the document of a page without the page.
     *
     * @param page Id of the page.
     * @param options.evaluated Evaluates the expressions and conditions of the document. `deterministic-only`: only
     * those that are equal for all readers. Default: false.
     * @throws {ContentPageNotFound} For groups and links, which have no document.
     */
    readonly document: (
      at: LocatedRevision,
      page: string,
      options?: ReadOptions & { readonly evaluated?: Evaluations.Evaluated }
    ) => Effect.Effect<AnsweredDocument, ContentPageNotFound | StorageError>
    /**
     * Returns the id of the page at a path. Links have no path. In the main content of a space, a path without a page
     * resolves to the last page that had the path.
     *
     * @param path Path of the page, such as `guide/start`, without regard to case.
     * @throws {ContentPageNotFound}
     */
    readonly pageAt: (
      at: LocatedRevision,
      path: string,
      options?: ReadOptions
    ) => Effect.Effect<PageId, ContentPageNotFound | StorageError>
    /**
     * Returns the id of the heading that the anchor of a link names, also for an anchor that another program derived from
     * the heading. Returns the anchor itself if no heading matches.
     *
     * @param page Id of a page of the revision.
     * @param anchor Anchor without `#`.
     */
    readonly headingId: (at: LocatedRevision, page: string, anchor: string) => Effect.Effect<string, StorageError>
    /**
     * Lists the files of a revision ordered by id, with their URLs.
     *
     * @throws {InvalidCursor}
     * @example
     * ```ts
     * await lectern.content.live.write(space.id, [
     *   { operation: "insert_files", files: [{ name: "logo.svg", base64: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>") }] }
     * ])
     * const main = await lectern.content.locate({ space: space.id })
     * const { items } = await lectern.content.files(main, {})
     * console.log(items.map(({ name, size, downloadURL }) => [name, size, downloadURL]))
     * ```
     */
    readonly files: (
      at: LocatedRevision,
      params: PageParams & ReadOptions
    ) => Effect.Effect<ListPage<Resources.File>, InvalidCursor | StorageError>
    /**
     * Returns a file of a revision with its URL.
     *
     * @param file Id of the file.
     * @throws {FileNotFound} If the revision has no file with this id.
     */
    readonly file: (
      at: LocatedRevision,
      file: string,
      options?: ReadOptions
    ) => Effect.Effect<Resources.File, FileNotFound | StorageError>
    /**
     * Returns the changes between a revision and its parent.
     *
     * @param limit Maximum number of changed pages and files. Default: 500.
     * @returns `more`: number of changes beyond the limit.
     * @throws {SpaceNotFound}
     */
    readonly changes: (
      at: LocatedRevision,
      limit?: number
    ) => Effect.Effect<Resources.Changes, SpaceNotFound | StorageError>
    /** Returns the changes between two contents of a space. */
    readonly compare: (
      space: SpaceId,
      before: RevisionRow,
      after: RevisionRow,
      limit?: number
    ) => Effect.Effect<Resources.Changes, StorageError>
    /**
     * Returns the current state of the change request that a revision came from. Undefined if it came from no change
     * request.
     */
    readonly mergedFrom: (at: LocatedRevision) => Effect.Effect<ChangeRequest | undefined, StorageError>
    /** Returns a file of a revision as a resource. */
    readonly presentFile: (
      space: SpaceId,
      revision: RevisionRow["id"],
      file: FileEntry
    ) => Effect.Effect<Resources.File>
    /**
     * Returns the page tree and the files of a source of computed pages, such as an OpenAPI spec.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound}
     * @throws {SpaceNotFound}
     */
    readonly computedPages: (
      space: SpaceId,
      request: Resources.PagesRequest
    ) => Effect.Effect<Resources.ComputedRevision, SourceFailure, CurrentActor>
    /**
     * Returns the document of a source of computed pages. The document contains a message if the source has no result.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound}
     * @throws {SpaceNotFound}
     */
    readonly computedDocument: (
      space: SpaceId,
      request: Resources.DocumentRequest
    ) => Effect.Effect<AnsweredDocument, SourceFailure, CurrentActor>
  }
>()("@lectern/core/content/Contents") {
  static readonly layer = Layer.effect(
    Contents,
    Effect.gen(function* () {
      const changes = yield* RevisionChanges.make
      const reads = {
        locate: yield* RevisionLocator.make,
        ...(yield* RevisionReads.make(changes)),
        ...(yield* PageReads.make),
        ...(yield* FileReads.make),
        ...changes
      }
      return Contents.of({
        ...reads,
        ...(yield* makeComputedReads(reads))
      })
    })
  )
}
