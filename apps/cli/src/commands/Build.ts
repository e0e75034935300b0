/** `lectern build [folder]`: writes the site of a folder of Markdown as files, for any file server. */
import { resolve } from "node:path"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { BuildResult } from "../build/Build.ts"
import { CommandFailed } from "../CommandFailed.ts"
import * as Problems from "../lint/Problems.ts"
import * as Logs from "../Logs.ts"
import * as Output from "../Output.ts"
import { drafts, json, title } from "../Flags.ts"
import type { SiteFiles } from "../SiteFiles.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export const build = (files: SiteFiles) =>
  Command.make(
    "build",
    {
      folder: MarkdownFolder.argument,
      out: Flag.String("out").pipe(
        Flag.withDescription("Folder of the site; default: dist in the current folder"),
        Flag.withDefault("dist")
      ),
      base: Flag.String("base").pipe(
        Flag.withDescription("Path of the site at its host, such as /docs/; default: the path of --site-url, or /"),
        Flag.optional
      ),
      siteUrl: Flag.String("site-url").pipe(
        Flag.withDescription("URL of the site, for canonical URLs, the sitemap, feeds and link previews"),
        Flag.optional
      ),
      title,
      drafts,
      keepOthers: Flag.Boolean("keep-others").pipe(
        Flag.withDescription("Build into a folder with other files, which stay"),
        Flag.withDefault(false)
      ),
      strict: Flag.Boolean("strict").pipe(
        Flag.withDescription("Exit with 1 if the folder has problems"),
        Flag.withDefault(false)
      ),
      json
    },
    Effect.fnUntraced(function* (flags) {
      const folder = yield* MarkdownFolder.resolve(flags.folder)
      const address = yield* addressOf(Option.getOrUndefined(flags.siteUrl), Option.getOrUndefined(flags.base))
      const out = resolve(flags.out)
      // Loaded lazily, so that other commands start faster.
      const { run } = yield* Effect.promise(() => import("../build/Build.ts"))
      const result = yield* run({
        folder,
        out,
        ...address,
        title: Option.getOrUndefined(flags.title),
        drafts: flags.drafts ? "shown" : "omitted",
        keepsOthers: flags.keepOthers,
        fonts: files.fonts(),
        diagrams: files.diagrams()
      }).pipe(Effect.provide(Logs.layer("warn")))
      yield* flags.json ? Console.log(JSON.stringify(result)) : Console.log(textOf(result, out))
      if (flags.strict && result.problems.length > 0) process.exitCode = 1
    })
  ).pipe(Command.withDescription("Write a folder of Markdown as a static site"))

/** A path with slashes at both ends, without dot segments and characters that end a path. */
const basePattern = /^\/(?:(?!\.{1,2}\/)[^/?#\\%;\s"'<>]+\/)*$/

const addressOf = Effect.fnUntraced(function* (siteUrl: string | undefined, base: string | undefined) {
  const url = siteUrl === undefined ? undefined : URL.parse(siteUrl)
  const isUrl = url === undefined || (url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(siteUrl!))
  if (!isUrl)
    return yield* new CommandFailed({ message: `${siteUrl} is no URL of a site: expected https://docs.example.com/` })
  const path = base ?? url?.pathname ?? "/"
  const pathname = `/${path}/`.replace(/\/{2,}/g, "/")
  if (!basePattern.test(pathname))
    return yield* new CommandFailed({ message: `${path} is no path of a site: expected a path such as /docs/` })
  if (
    url != null &&
    base !== undefined &&
    url.pathname !== "/" &&
    `${url.pathname}/`.replace(/\/{2,}$/, "/") !== pathname
  )
    return yield* new CommandFailed({ message: `The path of --site-url is not ${pathname}, as --base states` })
  return { base: new URL(pathname, "http://localhost").pathname, origin: url?.origin }
})

const countOf = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

const textOf = (result: BuildResult, out: string): string => {
  const { pages, redirects, changed, unchanged, deleted, bytes, milliseconds, problems, leftOut } = result
  const counts = [`${countOf(changed, "file")} written`, `${unchanged} unchanged`, `${deleted} deleted`]
  const parts = [countOf(pages, "page"), ...(redirects > 0 ? [countOf(redirects, "redirect")] : [])].join(" and ")
  return [
    ...problems.map(Problems.lineOf),
    ...(problems.length > 0 ? [""] : []),
    `Built ${parts} into ${out} in ${milliseconds} ms: ${Output.sizeOf(bytes)}, ${counts.join(", ")}`,
    ...(problems.length > 0 ? [countOf(problems.length, "problem")] : []),
    "",
    "Left out, since a static site has no server:",
    ...leftOut.map((sentence) => `  ${sentence}.`)
  ].join("\n")
}
