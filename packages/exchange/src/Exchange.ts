/**
 * Imports, exports and Git synchronization as an extension of Lectern.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", extensions: [Exchange.extension()] })
 * await lectern.content.folderImports.importFolder(space.id, folder)
 * ```
 *
 * Defaults: imports of Markdown only, no Git repositories. `NodeExchange` of `@lectern/services-node` provides both.
 */
import type { Extension } from "@lectern/core/Extension"
import type { LecternServices } from "@lectern/core/Lectern"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { durationNames } from "@lectern/core/time/DurationLike"
import { offer } from "@lectern/core/Services"
import { Effect, Layer } from "effect"
import { FolderArchives } from "./export/FolderArchives.ts"
import { FolderExports } from "./export/FolderExports.ts"
import { runGitOperation } from "./git/GitOperationJob.ts"
import { GitRemote } from "./git/GitRemote.ts"
import { GitSyncs } from "./git/GitSyncs.ts"
import { runImport } from "./import-run/ImportRunJob.ts"
import { ImportRuns } from "./import-run/ImportRuns.ts"
import { ImportLimits } from "./import/ContentImport.ts"
import { ContentImports } from "./import/ContentImports.ts"
import { FolderImports } from "./import/FolderImports.ts"
import { ImportedSpecs } from "./import/ImportedSpecs.ts"
import { SourceReader } from "./import/SourceReader.ts"
import { Pushes } from "./push/Pushes.ts"
import { removeUnusedParts } from "./push/PushedFiles.ts"

export interface ExchangeOptions {
  /** Opens Git repositories. Default: opening fails. */
  readonly gitRemote?: Layer.Layer<GitRemote>
  /** Converts imported sources to pages. Default: only Markdown is supported. */
  readonly sourceReader?: Layer.Layer<SourceReader>
  /** Limits of imports that differ from the defaults (see `ContentImport`). */
  readonly imports?: Partial<ImportLimits>
}

const importLimitNames: OptionNames<ImportLimits> = {
  resources: true,
  time: durationNames,
  readingTime: durationNames,
  pageBytes: true,
  fileBytes: true,
  totalBytes: true,
  archiveBytes: true,
  archiveTime: durationNames,
  archiveResources: true,
  concurrency: true
}

export const optionNames: OptionNames<ExchangeOptions> = {
  gitRemote: true,
  sourceReader: true,
  imports: importLimitNames
}

/** Registers the handlers of all jobs. */
const jobs = Layer.effectDiscard(
  Effect.gen(function* () {
    const { add } = yield* JobHandlers
    yield* add(yield* runGitOperation)
    yield* add(yield* runImport)
    yield* add(yield* removeUnusedParts)
  })
)

const services = jobs.pipe(
  Layer.provideMerge(Layer.mergeAll(FolderImports.layer, ContentImports.layer, FolderArchives.layer)),
  Layer.provideMerge(Layer.mergeAll(FolderExports.layer, GitSyncs.layer, ImportRuns.layer, Pushes.layer)),
  Layer.provideMerge(ImportedSpecs.layer)
)

const layer = ({ gitRemote = GitRemote.layer, sourceReader = SourceReader.layer, imports }: ExchangeOptions = {}) =>
  services.pipe(
    Layer.provide(
      Layer.effect(
        ImportLimits,
        Effect.map(ImportLimits, (limits) => ({ ...limits, ...imports }))
      )
    ),
    Layer.provideMerge(Layer.merge(gitRemote, sourceReader))
  ) satisfies Layer.Layer<never, never, LecternServices>

/** Services of the extension, and its ports. */
export type ExchangeServices = Layer.Success<ReturnType<typeof layer>>

/** Services for hosts without Effect, by their names in `EmbeddedLectern`. */
const offered = {
  "content.imports": offer(ContentImports, "outsideTransaction"),
  "content.folderExports": offer(FolderExports, "outsideTransaction"),
  "content.folderImports": offer(FolderImports, "outsideTransaction"),
  "content.git": offer(GitSyncs, "outsideTransaction"),
  "content.importRuns": offer(ImportRuns, "outsideTransaction"),
  "content.pushes": offer(Pushes, "outsideTransaction")
}

export type Exchange = Extension<ExchangeServices, typeof offered>

/** Creates the extension. Throws `InvalidInput` for an unknown option. */
export const extension = (options: ExchangeOptions = {}): Exchange => {
  checkOptions(optionNames, options)
  return { layer: layer(options), offered }
}
