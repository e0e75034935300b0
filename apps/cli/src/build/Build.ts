/**
 * Writes the site of a folder as files (see `StaticSite`), for any file server. The folder is read like `lectern dev`
 * reads it.
 */
import { IndexesChanges } from "@lectern/core/search/indexing/SearchIndexing"
import * as StaticFolder from "@lectern/services-node/folder/StaticFolder"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import * as SiteFile from "@lectern/exchange/site-folder/SiteFile"
import * as StaticSite from "@lectern/site/static-site/StaticSite"
import { Clock, Effect, Layer } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as HeapGrowth from "../HeapGrowth.ts"
import * as FolderSite from "../dev/FolderSite.ts"
import * as Problems from "../lint/Problems.ts"

export interface BuildOptions extends FolderSite.FolderSiteOptions {
  /** Folder of the site. */
  readonly out: string
  /** Path of the site at its host, with slashes at both ends. */
  readonly base: string
  /** Origin of the site. Default: parts that need absolute URLs are left out. */
  readonly origin: string | undefined
  /** True to keep other files in `out`. */
  readonly keepsOthers: boolean
  readonly fonts: FontLibrary | undefined
  readonly diagrams: DiagramLibrary | undefined
}

/** A problem of the folder, or of a file of the site that could not be written. */
export interface BuildProblem extends Omit<Problems.Problem, "rule"> {
  readonly rule: Problems.Problem["rule"] | "not-built"
}

export interface BuildResult extends Omit<StaticFolder.StaticFolderResult, "changedByOthers"> {
  readonly pages: number
  readonly redirects: number
  readonly bytes: number
  readonly milliseconds: number
  readonly problems: ReadonlyArray<BuildProblem>
  /** Sentences about parts of a site that the files lack. */
  readonly leftOut: ReadonlyArray<string>
}

/** Small caches, since each page is read once. */
const cacheSizes = { objectCacheBytes: 8 * 1024 * 1024, markdownCacheBytes: 1024 * 1024 }

export const run = Effect.fnUntraced(
  function* ({ out, base, origin, keepsOthers, fonts, diagrams, ...options }: BuildOptions) {
    const startedAt = yield* Clock.currentTimeMillis
    HeapGrowth.observeCollections()
    const folder = yield* StaticFolder.open({ folder: out, source: options.folder, keepsOthers })
    const site = yield* FolderSite.make(options)
    const { problems } = yield* site.update
    const invalidSettings = problems.filter(({ path, rule }) => path === SiteFile.path && rule === "invalid-settings")
    if (invalidSettings.length > 0)
      return yield* new CommandFailed({ message: invalidSettings.map(Problems.lineOf).join("\n") })
    HeapGrowth.limitOldSpace()
    let bytes = 0
    const {
      leftOut,
      pages,
      redirects,
      problems: siteProblems
    } = yield* StaticSite.make(
      {
        site: site.published()!.site,
        base,
        origin,
        redirects: yield* site.redirects,
        fonts,
        diagrams,
        latin1: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
        isOnWindows: process.platform === "win32"
      },
      (file) => {
        bytes += file.bytes.length
        return folder.write(file.path, file.bytes)
      }
    )
    const { changedByOthers, ...counts } = yield* folder.finish
    const notBuilt = [
      ...siteProblems,
      ...site.wildcardRedirects().map((source) => ({
        path: SiteFile.path,
        message: `The redirect from ${source} needs a server, and is left out`
      })),
      ...changedByOthers.map((path) => ({
        path,
        message: "An earlier build wrote it and it was changed since: it stays, and is not part of the site"
      }))
    ].map((problem): BuildProblem => ({ ...problem, rule: "not-built" }))
    return {
      pages,
      redirects,
      ...counts,
      bytes,
      milliseconds: (yield* Clock.currentTimeMillis) - startedAt,
      problems: [...problems, ...notBuilt],
      leftOut
    } satisfies BuildResult
  },
  Effect.scoped,
  // A static site has a search index of its own.
  Effect.provide(FolderSite.makeLayer(cacheSizes).pipe(Layer.provide(Layer.succeed(IndexesChanges, false))))
)
