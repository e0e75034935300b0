/**
 * Imports content from a URL or files into a space or a change request: web sites, Markdown, HTML, Word documents, and
 * archives of these. The pages are added at the end, and existing pages stay unchanged. Repeating an import adds the
 * pages again.
 *
 * The complete source is read and converted before anything is written, and becomes one revision or none. If a web site
 * exceeds the limits, the pages that were read in time are imported.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import type { CurrentActor } from "@lectern/core/access/Actor"
import { makeChangeRequestRevisions } from "@lectern/core/change-request/ChangeRequestRevisions"
import {
  ChangeRequestStore,
  stale,
  type OpenFailure,
  type Precondition
} from "@lectern/core/change-request/store/ChangeRequestStore"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Ids } from "@lectern/core/identity/Ids"
import { InstalledBlocks } from "@lectern/core/integration/InstalledBlocks"
import { accepting, type InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import * as GuessedLanguage from "./GuessedLanguage.ts"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { Content } from "@lectern/core/content/Content"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import * as ContentStaging from "./ContentStaging.ts"
import {
  ContentImport,
  type ContentImportResult,
  ImportLimits,
  type ImportRefused,
  unsupportedAdvice,
  importRefused
} from "./ContentImport.ts"
import { type FolderTooLarge, FolderUnreadable } from "./Folder.ts"
import * as FolderImport from "./FolderImport.ts"
import { ImportedSpecs } from "./ImportedSpecs.ts"
import * as ImportReports from "./ImportReports.ts"
import { type SourceFolder, fromFiles, read } from "./SourceFolders.ts"
import { type ArchivedFile, SourceReader } from "./SourceReader.ts"

const accept = accepting(ContentImport)

/** Source of an import: a URL, or files. */
type ImportInput = ContentImport | { readonly files: ReadonlyArray<ArchivedFile> }

type Failure = ImportRefused | InvalidInput | FolderTooLarge

export class ContentImports extends Context.Service<
  ContentImports,
  {
    /**
     * Imports the content of a URL after the pages of a space, as one revision or not at all.
     *
     * @throws {ContentOutdated} If other writers kept changing the space.
     * @throws {FolderTooLarge}
     * @throws {Forbidden}
     * @throws {ImportRefused} If the source has no content to import.
     * @throws {InvalidInput}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { report } = await lectern.content.imports.importIntoSpace(space.id, {
     *   source: "markdown",
     *   url: `data:text/markdown,${encodeURIComponent("# Welcome\n\nHello.")}`
     * })
     * console.log(report.problems)
     * ```
     */
    readonly importIntoSpace: (
      space: SpaceId,
      input: ContentImport
    ) => Effect.Effect<ContentImportResult, LiveEditFailure | ContentOutdated | Failure, CurrentActor>
    /**
     * Imports the content of a URL after the pages of a change request, as one revision or not at all.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {FolderTooLarge}
     * @throws {Forbidden}
     * @throws {ImportRefused} If the source has no content to import.
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     */
    readonly importIntoChangeRequest: (
      space: SpaceId,
      idOrNumber: string,
      input: ContentImport,
      precondition?: Precondition
    ) => Effect.Effect<ContentImportResult, OpenFailure | Failure, CurrentActor>
    /**
     * Imports files, or a single archive, after the pages of a space or a change request. The import becomes one
     * revision, or writes nothing if it fails.
     *
     * @param idOrNumber Id or number of a change request. Undefined for the main content of the space.
     * @param files Files, or a single archive.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {ContentOutdated}
     * @throws {FolderTooLarge}
     * @throws {Forbidden}
     * @throws {ImportRefused}
     * @throws {InvalidInput}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     */
    readonly importFiles: (
      space: SpaceId,
      idOrNumber: string | undefined,
      files: ReadonlyArray<ArchivedFile>
    ) => Effect.Effect<ContentImportResult, LiveEditFailure | ContentOutdated | OpenFailure | Failure, CurrentActor>
  }
>()("@lectern/exchange/import/ContentImports") {
  static readonly layer = Layer.effect(
    ContentImports,
    Effect.gen(function* () {
      const storage = yield* Storage
      const limits = yield* ImportLimits
      const fetcher = yield* GuardedFetch
      const sources = yield* SourceReader
      const staging = yield* ContentStaging.make
      const objects = yield* Objects
      const edits = yield* LiveEdits
      const revisions = yield* Revisions
      const installedBlocks = yield* InstalledBlocks
      const specs = yield* ImportedSpecs
      const store = yield* ChangeRequestStore
      const changeRequests = yield* makeChangeRequestRevisions
      const services = yield* Effect.context<Ids | Hasher>()
      const semaphore = yield* Semaphore.make(limits.concurrency)

      const readSource = Effect.fnUntraced(function* (input: ImportInput) {
        if ("files" in input) return yield* fromFiles(input.files, { fetcher, reader: yield* sources.open, limits })
        const advice = unsupportedAdvice[input.source]
        if (advice !== undefined) return yield* importRefused(advice, "source")
        return yield* read(input.source, input.url, { fetcher, reader: yield* sources.open, limits })
      })

      /** Returns the content with the pages of the folder added. Its files are stored, but not referenced yet. */
      const addPages = Effect.fnUntraced(function* (
        space: SpaceId,
        draft: ObjectDraft,
        content: Content,
        { plan }: SourceFolder
      ) {
        const blobs = staging.blobs()
        const importResult = yield* FolderImport.apply({
          plan,
          draft,
          content,
          now: yield* Timestamps.now,
          outline: undefined,
          onlyAdds: true,
          fenced: yield* installedBlocks.fenced(space),
          putBlob: blobs.put,
          allowFile: yield* staging.allowFile(space)
        }).pipe(Effect.provideContext(services))
        if (importResult.report.added.length === 0) {
          return yield* importRefused(importResult.report.problems[0]?.message ?? "There is nothing in it to import")
        }
        yield* blobs.flush
        return importResult
      })

      /** Runs an import within its limits. Files of the source exist until the import ends. */
      const withinLimits = <A, E, R>(input: ImportInput, work: Effect.Effect<A, E | FolderUnreadable, R>) =>
        semaphore.withPermit(Effect.scoped(work)).pipe(
          Effect.catchIf(
            (error) => error instanceof FolderUnreadable,
            ({ message }) => Effect.fail(importRefused(message))
          ),
          Effect.timeoutOrElse({
            duration: "files" in input || input.source === "zip" ? limits.archiveTime : limits.time,
            orElse: () => Effect.fail(importRefused("It took longer than an import may: nothing was imported"))
          })
        )

      const toResult = Effect.fnUntraced(function* (
        space: SpaceId,
        input: ImportInput,
        revision: ContentImportResult["revision"],
        folder: SourceFolder,
        report: FolderImport.ImportReport
      ) {
        const registersSpecs = "url" in input && input.registerSpecs === true
        const checkedSpecs = yield* specs.check(space, report.specs, registersSpecs)
        const problems = [...report.problems, ...checkedSpecs.problems]
        const count = report.added.length
        return {
          revision,
          importedResources: count,
          totalResources: Math.max(folder.foundCount, count),
          report: ImportReports.make({ ...report, specs: checkedSpecs.specs, problems })
        } satisfies ContentImportResult
      })

      const intoSpace = Effect.fnUntraced(function* (space: SpaceId, input: ImportInput) {
        yield* edits.begin(space)
        return yield* withinLimits(
          input,
          Effect.gen(function* () {
            const folder = yield* readSource(input)
            return yield* edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const draft = objects.draft()
                const { content, report } = yield* addPages(space, draft, base.content, folder)
                const revision = yield* edits.commit({ base, draft, content })
                yield* GuessedLanguage.storeGuessedLanguage(storage, space, report.languages)
                return yield* toResult(space, input, revision.id, folder, report)
              })
            )
          })
        )
      })

      const intoChangeRequest = Effect.fnUntraced(function* (
        space: SpaceId,
        idOrNumber: string,
        input: ImportInput,
        precondition?: Precondition
      ) {
        yield* store.open(space, idOrNumber, { type: "edit" }, precondition)
        return yield* withinLimits(
          input,
          Effect.gen(function* () {
            const folder = yield* readSource(input)
            return yield* store.retry(
              store.open(space, idOrNumber, { type: "edit" }, precondition),
              Effect.fnUntraced(function* (sourceArchive) {
                const before = yield* revisions.get(sourceArchive.row.revision)
                const conflicts = yield* changeRequests.conflictsOf(before)
                const draft = objects.draft()
                // The conflicts stay unchanged and are stored with the revision.
                if (conflicts.length > 0) draft.write(conflicts)
                const { content, report } = yield* addPages(space, draft, before.content, folder)
                const result = yield* changeRequests.advance(sourceArchive, draft, {
                  parents: [before.id],
                  type: "edits",
                  content,
                  conflicts
                })
                return result === stale ? stale : yield* toResult(space, input, result.row.revision, folder, report)
              })
            )
          })
        )
      })

      return ContentImports.of({
        importIntoSpace: Effect.fn("ContentImports.importIntoSpace")(function* (space, what) {
          return yield* intoSpace(space, yield* accept(what))
        }),

        importIntoChangeRequest: Effect.fn("ContentImports.importIntoChangeRequest")(
          function* (space, idOrNumber, what, precondition) {
            return yield* intoChangeRequest(space, idOrNumber, yield* accept(what), precondition)
          }
        ),

        importFiles: Effect.fn("ContentImports.importFiles")(function* (space, idOrNumber, files) {
          const input = { files }
          return yield* idOrNumber === undefined ? intoSpace(space, input) : intoChangeRequest(space, idOrNumber, input)
        })
      })
    })
  )
}
