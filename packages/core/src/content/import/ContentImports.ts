/**
 * Imports content from a URL or files into a space or a change request: web sites, Markdown, HTML, Word documents, and
 * archives of these. The pages are added at the end, and existing pages stay unchanged. Repeating an import adds the
 * pages again.
 *
 * The complete source is read and converted before anything is written, and becomes one revision or none. If a web site
 * exceeds the limits, the pages that were read in time are imported.
 */
import { Context, Effect, Semaphore } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import { ChangeRequestRevisions } from "../../change-request/ChangeRequestRevisions.ts"
import {
  ChangeRequestStore,
  stale,
  type OpenFailure,
  type Precondition
} from "../../change-request/ChangeRequestStore.ts"
import { GuardedFetch } from "../../fetch/GuardedFetch.ts"
import { Ids } from "../../identity/Ids.ts"
import { InstalledBlocks } from "../../integration/InstalledBlocks.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { SpaceId } from "../../space/Space.ts"
import { Storage } from "../../storage/Storage.ts"
import * as GuessedLanguage from "./GuessedLanguage.ts"
import { Hasher } from "../../storage/Hasher.ts"
import type { Content } from "../Content.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../edits/LiveEdits.ts"
import { type ObjectDraft, Objects } from "../store/Objects.ts"
import { Revisions } from "../revisions/Revisions.ts"
import * as ContentStaging from "./ContentStaging.ts"
import {
  ContentImport,
  type ContentImported,
  ImportLimits,
  type ImportRefused,
  instead,
  refused
} from "./ContentImport.ts"
import { type FolderTooLarge, FolderUnreadable } from "./Folder.ts"
import * as FolderImport from "./FolderImport.ts"
import { ImportedSpecs } from "./ImportedSpecs.ts"
import * as ImportReport from "./ImportReport.ts"
import { type SourceFolder, ofFiles, read } from "./SourceFolders.ts"
import { type ArchivedFile, SourceReader } from "./SourceReader.ts"
import { wired } from "../../wiring/Wired.ts"

const accept = accepting(ContentImport)

/** Source of an import: a URL, or files. */
type Wanted = ContentImport | { readonly files: ReadonlyArray<ArchivedFile> }

type Failure = ImportRefused | InvalidInput | FolderTooLarge

export class ContentImports extends Context.Service<
  ContentImports,
  {
    /**
     * Imports the content of a URL after the pages of a space, as one revision or not at all. Fails with
     * `ContentOutdated` if other writers kept changing the space, and with `ImportRefused` if the source has no content
     * to import.
     */
    readonly importIntoSpace: (
      space: SpaceId,
      what: ContentImport
    ) => Effect.Effect<ContentImported, LiveEditFailure | ContentOutdated | Failure, CurrentActor>
    /**
     * Imports the content of a URL after the pages of a change request, as one revision or not at all. Fails with
     * `ImportRefused` if the source has no content to import.
     */
    readonly importIntoChangeRequest: (
      space: SpaceId,
      idOrNumber: string,
      what: ContentImport,
      precondition?: Precondition
    ) => Effect.Effect<ContentImported, OpenFailure | Failure, CurrentActor>
    /**
     * Imports files, or a single archive, after the pages of a space. With `idOrNumber`: after the pages of this change
     * request. The import becomes one revision, or writes nothing if it fails.
     */
    readonly importFiles: (
      space: SpaceId,
      idOrNumber: string | undefined,
      files: ReadonlyArray<ArchivedFile>
    ) => Effect.Effect<ContentImported, LiveEditFailure | ContentOutdated | OpenFailure | Failure, CurrentActor>
  }
>()("@lectern/core/content/import/ContentImports") {
  static readonly layer = wired(
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
      const changeRequests = yield* ChangeRequestRevisions
      const services = yield* Effect.context<Ids | Hasher>()
      const turns = yield* Semaphore.make(limits.atOnce)

      const gather = Effect.fnUntraced(function* (what: Wanted) {
        if ("files" in what) return yield* ofFiles(what.files, { fetcher, reader: yield* sources.open, limits })
        const sentence = instead[what.source]
        if (sentence !== undefined) return yield* refused(sentence, "source")
        return yield* read(what.source, what.url, { fetcher, reader: yield* sources.open, limits })
      })

      /** Returns the content with the pages of the folder added. Its files are stored, but not referenced yet. */
      const added = Effect.fnUntraced(function* (
        space: SpaceId,
        draft: ObjectDraft,
        content: Content,
        { plan }: SourceFolder
      ) {
        const blobs = staging.blobs()
        const imported = yield* FolderImport.apply({
          plan,
          draft,
          content,
          now: yield* Timestamps.now,
          outline: undefined,
          adds: true,
          fenced: yield* installedBlocks.fenced(space),
          putBlob: blobs.put
        }).pipe(Effect.provideContext(services))
        if (imported.report.added.length === 0) {
          return yield* refused(imported.report.problems[0]?.message ?? "There is nothing in it to import")
        }
        yield* blobs.settle
        return imported
      })

      /** Runs an import within its limits. Files of the source exist until the import ends. */
      const importing = <A, E, R>(what: Wanted, work: Effect.Effect<A, E | FolderUnreadable, R>) =>
        turns.withPermit(Effect.scoped(work)).pipe(
          Effect.catchIf(
            (error) => error instanceof FolderUnreadable,
            ({ message }) => Effect.fail(refused(message))
          ),
          Effect.timeoutOrElse({
            duration: "files" in what || what.source === "zip" ? limits.archiveTime : limits.time,
            orElse: () => Effect.fail(refused("It took longer than an import may: nothing was imported"))
          })
        )

      const answer = Effect.fnUntraced(function* (
        space: SpaceId,
        wanted: Wanted,
        revision: ContentImported["revision"],
        folder: SourceFolder,
        found: FolderImport.ImportReport
      ) {
        const registers = "url" in wanted && wanted.registerSpecs === true
        const checked = yield* specs.check(space, found.specs, registers)
        const problems = [...found.problems, ...checked.problems]
        const count = found.added.length
        return {
          revision,
          importedResources: count,
          totalResources: Math.max(folder.found, count),
          report: ImportReport.make({ ...found, specs: checked.specs, problems })
        } satisfies ContentImported
      })

      const intoSpace = Effect.fnUntraced(function* (space: SpaceId, wanted: Wanted) {
        yield* edits.begin(space)
        return yield* importing(
          wanted,
          Effect.gen(function* () {
            const folder = yield* gather(wanted)
            return yield* edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const draft = objects.draft()
                const { content, report } = yield* added(space, draft, base.content, folder)
                const revision = yield* edits.commit({ base, draft, content })
                yield* GuessedLanguage.keep(storage, space, report.languages)
                return yield* answer(space, wanted, revision.id, folder, report)
              })
            )
          })
        )
      })

      const intoChangeRequest = Effect.fnUntraced(function* (
        space: SpaceId,
        idOrNumber: string,
        wanted: Wanted,
        precondition?: Precondition
      ) {
        yield* store.open(space, idOrNumber, { type: "edit" }, precondition)
        return yield* importing(
          wanted,
          Effect.gen(function* () {
            const folder = yield* gather(wanted)
            return yield* store.retry(
              store.open(space, idOrNumber, { type: "edit" }, precondition),
              Effect.fnUntraced(function* (opened) {
                const before = yield* revisions.get(opened.row.revision)
                const conflicts = yield* changeRequests.conflictsOf(before)
                const draft = objects.draft()
                // The conflicts stay unchanged and are stored with the revision.
                if (conflicts.length > 0) draft.write(conflicts)
                const { content, report } = yield* added(space, draft, before.content, folder)
                const done = yield* changeRequests.advance(opened, draft, {
                  parents: [before.id],
                  type: "edits",
                  content,
                  conflicts
                })
                return done === stale ? stale : yield* answer(space, wanted, done.row.revision, folder, report)
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
          const wanted = { files }
          return yield* idOrNumber === undefined
            ? intoSpace(space, wanted)
            : intoChangeRequest(space, idOrNumber, wanted)
        })
      })
    }),
    [
      ChangeRequestRevisions.layer,
      ChangeRequestStore.layer,
      ImportedSpecs.layer,
      InstalledBlocks.layer,
      LiveEdits.layer,
      Objects.layer,
      Revisions.layer
    ]
  )
}
