/** `lectern lint [folder]`: prints the problems of a folder of Markdown, and exits with 1 if there are errors. */
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { formatNames, lintFormats } from "../lint/LintFormats.ts"
import * as Logs from "../Logs.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export const Lint = Command.make(
  "lint",
  {
    folder: MarkdownFolder.argument,
    format: Flag.Literals("format", formatNames).pipe(
      Flag.withDescription("Format of the problems; github: annotations of GitHub Actions; default: pretty"),
      Flag.withDefault("pretty" as const)
    ),
    fix: Flag.Boolean("fix").pipe(
      Flag.withDescription("Mend the problems that have one right answer, and list the others"),
      Flag.withDefault(false)
    ),
    external: Flag.Boolean("external").pipe(
      Flag.withDescription("Also request the URLs of other websites"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (flags) {
    const folder = yield* MarkdownFolder.resolve(flags.folder)
    // Loaded lazily, so that other commands start faster.
    const { run } = yield* Effect.promise(() => import("../lint/FolderLint.ts"))
    const external = flags.external ? NodeFetch.layer() : undefined
    const result = yield* run(folder, { fixes: flags.fix, external }).pipe(Effect.provide(Logs.layer("error")))
    const text = lintFormats[flags.format](result, folder)
    if (text !== "") yield* Console.log(text)
    if (result.problems.some(({ level }) => level === "error")) process.exitCode = 1
  })
).pipe(Command.withDescription("List the problems of a folder of Markdown: broken links, missing pages and others"))
