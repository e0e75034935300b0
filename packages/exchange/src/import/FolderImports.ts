/**
 * Imports folders of documentation into spaces. An import is computed outside of transactions. It takes effect
 * completely, or not at all if the content changed in the meantime. An import without changes creates no revision.
 */
import { Context, Effect, Equal, Layer } from "effect"
import type { CurrentActor } from "@lectern/core/access/Actor"
import { Ids } from "@lectern/core/identity/Ids"
import { InstalledBlocks } from "@lectern/core/integration/InstalledBlocks"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Hasher } from "@lectern/core/storage/Hasher"
import { cannotConflict, Storage } from "@lectern/core/storage/Storage"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as GuessedLanguage from "./GuessedLanguage.ts"
import { Objects } from "@lectern/core/content/store/Objects"
import type { RevisionRow } from "@lectern/core/content/revisions/Revision"
import * as ContentStaging from "./ContentStaging.ts"
import type { Folder, FolderTooLarge, FolderUnreadable } from "./Folder.ts"
import * as FolderImport from "./FolderImport.ts"
import * as FolderPlan from "./FolderPlan.ts"
import type { ImportCache } from "./ImportCache.ts"
import { ImportedSpecs } from "./ImportedSpecs.ts"
import * as ImportReports from "./ImportReports.ts"
import { ImportTable } from "@lectern/core/exchange/ImportRecord"
import type { ImportProgress } from "./ImportRun.ts"

export interface FolderReport extends FolderImport.ImportReport {
  /** The report as sentences. */
  readonly sentences: ReadonlyArray<string>
}

export interface SpaceFolderImport {
  readonly revision: RevisionRow
  readonly report: FolderReport
  /** Ids of the pages by the paths of their files. */
  readonly pageIds: ReadonlyMap<string, string>
}

export interface FolderImportOptions {
  /** Called with the progress of the import. Default: none. */
  readonly onProgress?: (progress: ImportProgress) => Effect.Effect<void>
  /** True if the import registers specs that blocks reference by URL and the organization lacks. Default: false. */
  readonly registerSpecs?: boolean
  /** Cache of the previous import of the folder into the space, for a complete report. Default: none. */
  readonly cache?: ImportCache
}

export class FolderImports extends Context.Service<
  FolderImports,
  {
    /**
     * Imports a folder of files into a space, as one revision or not at all, and reports added, changed and removed
     * files.
     *
     * @throws {ContentOutdated} If the content changed in the meantime.
     * @throws {FolderTooLarge} If the folder exceeds the limits of imports.
     * @throws {FolderUnreadable}
     * @throws {Forbidden}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const text = new TextEncoder().encode("# Install\n\nRun the installer.")
     * const { report } = await lectern.content.folderImports.importFolder(space.id, {
     *   files: [{ path: "install.md", size: text.length, bytes: async () => text }]
     * })
     * console.log(report.added, report.problems)
     * ```
     */
    readonly importFolder: (
      space: SpaceId,
      folder: Folder,
      options?: FolderImportOptions
    ) => Effect.Effect<
      SpaceFolderImport,
      LiveEditFailure | ContentOutdated | FolderTooLarge | FolderUnreadable,
      CurrentActor
    >
  }
>()("@lectern/exchange/import/FolderImports") {
  static readonly layer = Layer.effect(
    FolderImports,
    Effect.gen(function* () {
      const storage = yield* Storage
      const staging = yield* ContentStaging.make
      const objects = yield* Objects
      const edits = yield* LiveEdits
      const installedBlocks = yield* InstalledBlocks
      const specs = yield* ImportedSpecs
      const imports = storage.repository(ImportTable)
      const services = yield* Effect.context<Ids | Hasher>()

      const storeOutline = Effect.fnUntraced(function* (space: string, outline: string) {
        if ((yield* imports.update({ space }, { outline })) === 0) yield* imports.insert({ space, outline })
      }, cannotConflict)

      return FolderImports.of({
        importFolder: Effect.fn("FolderImports.importFolder")(function* (
          space,
          folder,
          { registerSpecs = false, ...options } = {}
        ) {
          const base = yield* edits.begin(space)
          const before = yield* imports.get({ space })
          const plan = yield* FolderPlan.make(folder)
          const draft = objects.draft()

          const blobs = staging.blobs()
          const {
            content,
            report: importReport,
            outline,
            pageIds
          } = yield* FolderImport.apply({
            plan,
            draft,
            content: base.content,
            now: yield* Timestamps.now,
            outline: before?.outline,
            fenced: yield* installedBlocks.fenced(space),
            putBlob: blobs.put,
            allowFile: yield* staging.allowFile(space),
            ...options
          }).pipe(Effect.provideContext(services))
          yield* blobs.flush
          yield* GuessedLanguage.storeGuessedLanguage(storage, space, importReport.languages)
          /** The final report, with the specs checked after the pages are stored. */
          const finalReport = Effect.map(
            specs.check(space, importReport.specs, registerSpecs),
            (checked): FolderReport => {
              const report = {
                ...importReport,
                specs: checked.specs,
                problems: [...importReport.problems, ...checked.problems]
              }
              return { ...report, sentences: ImportReports.sentences(report) }
            }
          )

          if (Equal.equals(content, base.content)) {
            if (before?.outline !== outline) yield* storage.transaction(storeOutline(space, outline))
            return { revision: base, report: yield* finalReport, pageIds }
          }
          const revision = yield* edits.commit({ base, draft, content })
          // If this hash of titles and positions is not stored, the next import sets them again, which is harmless.
          yield* storage.transaction(storeOutline(space, outline))
          return { revision, report: yield* finalReport, pageIds }
        })
      })
    })
  )
}
