/**
 * Serves a folder of Markdown as a site, and shows changes of its files at once, without a database and sign-in.
 *
 * Defaults: loopback, the first free port from 4000.
 */
import { spawn } from "node:child_process"
import { styleText } from "node:util"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import type { SiteHandler } from "@lectern/site/fetch"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Clock, Console, Deferred, Effect } from "effect"
import * as DevServer from "./DevServer.ts"
import * as FolderSite from "./FolderSite.ts"
import * as FolderWatch from "./FolderWatch.ts"
import * as LivePages from "./LivePages.ts"
import * as FolderLint from "../lint/FolderLint.ts"
import * as Problems from "../lint/Problems.ts"

export interface DevOptions extends FolderSite.FolderSiteOptions {
  readonly host: string
  /** Default: the first free port from 4000. */
  readonly port: number | undefined
  /** URL that opens a file in an editor, with `{path}` and `{line}`. */
  readonly editor: string
  /** True to open the site in the browser. */
  readonly opens: boolean
  /** True to print one JSON object for each update. */
  readonly json: boolean
  readonly fonts: FontLibrary | undefined
  readonly diagrams: DiagramLibrary | undefined
}

const firstPort = 4000

/** Runs until interrupted. */
export const run = Effect.fnUntraced(function* (options: DevOptions) {
  const { folder, host, json } = options
  const startedAt = yield* Clock.currentTimeMillis
  const listener = yield* DevServer.listen(host, options.port, firstPort)
  const url = `http://${SiteHosts.isLoopback(host) ? host : "localhost"}:${listener.port}/`
  const live = LivePages.make(`${startedAt}`, (problem) => Problems.editorUrl(options.editor, folder, problem))
  yield* Effect.addFinalizer(() => Effect.sync(live.close))
  return yield* Effect.gen(function* () {
    const site = yield* FolderSite.make(options)
    const { make: makeHandler } = yield* Effect.promise(() => import("@lectern/site/fetch"))
    const { diagrams, fonts } = options
    let served: { readonly site: string; readonly sites: SiteHandler } | undefined
    /** Serves the published site, which is another one after a change of `site.yaml`. */
    const serve = Effect.gen(function* () {
      const published = site.published()
      if (published === undefined || published.site === served?.site) return
      const previous = served
      const options = { diagrams, fonts, theme: live.theme, ignoresTrailingSlash: false }
      served = { site: published.site, sites: yield* makeHandler({ ...options, site: published.site, at: "/" }) }
      if (previous !== undefined) yield* Effect.promise(previous.sites.close)
    })
    const watch = yield* FolderWatch.make(folder)
    const isImported = yield* Deferred.make<void>()
    const awaitImport = Effect.runPromise(Deferred.await(isImported))
    /** Responds with the first page and its files at once, and with other pages when all are imported. */
    const respond = async (request: Request) => {
      const { pathname } = new URL(request.url)
      if (pathname !== "/" && !pathname.startsWith("/~lectern/")) await awaitImport
      return await served!.sites.fetch(request)
    }
    const elapsed = Effect.map(Clock.currentTimeMillis, (now) => now - startedAt)
    const announce = Effect.gen(function* () {
      listener.serve({ token: () => site.published()?.token, respond, live })
      const milliseconds = yield* elapsed
      yield* json
        ? Console.log(JSON.stringify({ url, milliseconds }))
        : Console.log(`Lectern shows ${folder} at ${styleText("cyan", url)}, ready in ${milliseconds} ms`)
      if (!SiteHosts.isLoopback(host))
        yield* Console.error(styleText("yellow", `Everybody who reaches ${host} can read the pages of the folder`))
      if (options.opens) openInBrowser(url)
    })

    const isPrepared = yield* site.prepare
    yield* serve
    if (isPrepared) yield* announce
    const problemsOf = FolderLint.make(folder, site)
    const update = Effect.gen(function* () {
      const next = yield* site.update
      yield* serve
      // Fixes are for `lectern lint --fix`.
      const problems = Array.from(yield* problemsOf(next), ({ fix: _, ...problem }) => problem)
      return { ...next, problems }
    })
    const first = yield* update
    yield* Deferred.succeed(isImported, undefined)
    live.publish(first.problems)
    if (!isPrepared) yield* announce
    const { pages, problems } = first
    yield* json
      ? Console.log(JSON.stringify({ pages, problems, milliseconds: yield* elapsed }))
      : Console.log(
          [
            `${pages} ${pages === 1 ? "page" : "pages"}. Changes of files appear at once.`,
            ...(problems.length > 0 ? ["", ...problems.map(Problems.lineOf)] : [])
          ].join("\n")
        )

    let last = first
    const applyChanges = Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      const next = yield* update
      // The files of a new folder may have changed before it was watched.
      const hasNewFolders = watch.follow(next.folders)
      if (next.changes.length > 0) {
        live.publish(next.problems)
        const milliseconds = (yield* Clock.currentTimeMillis) - startedAt
        yield* json
          ? Console.log(JSON.stringify({ changes: next.changes, problems: next.problems, milliseconds }))
          : Console.log([summaryOf(next, milliseconds), ...newProblems(last, next)].join("\n"))
        last = next
      }
      return hasNewFolders
    }).pipe(
      Effect.catch((failure) =>
        Effect.as(
          json
            ? Console.log(JSON.stringify({ error: { message: failure.message } }))
            : Console.error(`lectern: ${failure.message}`),
          false
        )
      )
    )
    watch.follow(first.folders)
    // Files may have changed before they were watched.
    for (let isDue = true; ;) {
      if (!isDue) yield* watch.next
      isDue = yield* applyChanges
    }
  }).pipe(Effect.provide(FolderSite.layer))
}, Effect.scoped)

const maxPaths = 3

const summaryOf = ({ changes, problems }: FolderSite.Update, milliseconds: number): string => {
  const others = changes.length > maxPaths ? ` and ${changes.length - maxPaths} more` : ""
  const count = problems.length === 0 ? "" : `, ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`
  return `Updated ${changes.slice(0, maxPaths).join(", ")}${others} in ${milliseconds} ms${count}`
}

const newProblems = (last: FolderSite.Update, next: FolderSite.Update): ReadonlyArray<string> => {
  const lastLines = new Set(last.problems.map(Problems.lineOf))
  return next.problems.map(Problems.lineOf).filter((line) => !lastLines.has(line))
}

/** Opens a URL in the browser of the desktop. Without one, nothing happens. */
const openInBrowser = (url: string): void => {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url]
  spawn(program!, args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref()
}
