/** `lectern lint [folder]`: prints the problems of a folder of Markdown, and exits with 1 if there are errors. */
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
    )
  },
  Effect.fnUntraced(function* (flags) {
    const folder = yield* MarkdownFolder.resolve(flags.folder)
    // Loaded lazily, so that other commands start faster.
    const { run } = yield* Effect.promise(() => import("../lint/FolderLint.ts"))
    const result = yield* run(folder).pipe(Effect.provide(Logs.layer("warn")))
    const text = lintFormats[flags.format](result, folder)
    if (text !== "") yield* Console.log(text)
    if (result.problems.some(({ level }) => level === "error")) process.exitCode = 1
  })
).pipe(Command.withDescription("List the problems of a folder of Markdown: broken links, missing pages and others"))
