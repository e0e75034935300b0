/** `lectern lint [folder]`: prints the problems of a folder of Markdown, and exits with 1 if there are any. */
import { join, relative } from "node:path"
import { styleText } from "node:util"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { LintResult } from "../dev/Lint.ts"
import * as Problems from "../dev/Problems.ts"
import * as Logs from "../Logs.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export const Lint = Command.make(
  "lint",
  {
    folder: MarkdownFolder.argument,
    format: Flag.Literals("format", ["pretty", "json", "github"]).pipe(
      Flag.withDescription("Format of the problems; github: annotations of GitHub Actions; default: pretty"),
      Flag.withDefault("pretty" as const)
    )
  },
  Effect.fnUntraced(function* (flags) {
    const folder = yield* MarkdownFolder.resolve(flags.folder)
    // Loaded lazily, so that other commands start faster.
    const { run } = yield* Effect.promise(() => import("../dev/Lint.ts"))
    const result = yield* run(folder).pipe(Effect.provide(Logs.layer("warn")))
    for (const line of formats[flags.format](result, folder)) yield* Console.log(line)
    if (result.problems.length > 0) process.exitCode = 1
  })
).pipe(Command.withDescription("List the problems of a folder of Markdown: broken links, missing pages and others"))

type Format = (result: LintResult, folder: string) => ReadonlyArray<string>

const countText = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

const pretty: Format = ({ pages, problems }) => [
  ...problems.map((problem) => `${Problems.lineOf(problem)} ${styleText("dim", `(${problem.rule})`)}`),
  `${countText(problems.length, "problem")} in ${countText(pages, "page")}`
]

/** Paths are relative to the working directory, which is the repository in a job of GitHub Actions. */
const github: Format = ({ problems }, folder) =>
  problems.map(({ path, line, column, rule, message }) => {
    const properties = {
      file: relative(process.cwd(), join(folder, path)).replaceAll("\\", "/"),
      line,
      col: column,
      title: rule
    }
    const list = Object.entries(properties).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${escape(`${value}`).replaceAll(":", "%3A").replaceAll(",", "%2C")}`]
    )
    return `::error ${list.join(",")}::${escape(message)}`
  })

const escape = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const formats = { pretty, github, json: (result) => [JSON.stringify(result)] } satisfies Record<string, Format>
