/** `lectern dev [folder]`: serves a folder of Markdown as a site, without a database. */
import { readFileSync } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import * as Problems from "../lint/Problems.ts"
import * as Logs from "../Logs.ts"
import { drafts, json, title } from "../Flags.ts"
import type { SiteFiles } from "../SiteFiles.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export const dev = (files: SiteFiles) =>
  Command.make(
    "dev",
    {
      folder: MarkdownFolder.argument,
      port: Flag.Int("port").pipe(
        Flag.withDescription("Port of the site; default: the first free port from 4000"),
        Flag.optional
      ),
      host: Flag.String("host").pipe(
        Flag.withDescription("Address to listen at; default: 127.0.0.1, which only this machine reaches"),
        Flag.withDefault("127.0.0.1")
      ),
      open: Flag.Boolean("open").pipe(Flag.withDescription("Open the site in the browser"), Flag.withDefault(false)),
      title,
      drafts,
      as: Flag.String("as").pipe(
        Flag.withDescription("JSON file with the signed claims of the visitor, for conditions"),
        Flag.optional
      ),
      editor: Flag.String("editor").pipe(
        Flag.withDescription(`URL that opens a file in an editor, with {path} and {line}; default: ${Problems.vscode}`),
        Flag.withDefault(Problems.vscode)
      ),
      printSchema: Flag.Boolean("print-schema").pipe(
        Flag.withDescription("Print the JSON Schema of site.yaml, for editors, and exit"),
        Flag.withDefault(false)
      ),
      json
    },
    Effect.fnUntraced(function* (flags) {
      if (flags.printSchema) {
        const { jsonSchema } = yield* Effect.promise(() => import("@lectern/exchange/site-folder/SiteFile"))
        return yield* Console.log(JSON.stringify(jsonSchema(), undefined, 2))
      }
      const folder = yield* MarkdownFolder.resolve(flags.folder)
      const claims = Option.isSome(flags.as) ? yield* readClaims(flags.as.value) : undefined
      // Loaded lazily, so that other commands start faster.
      const { run } = yield* Effect.promise(() => import("../dev/Dev.ts"))
      return yield* run({
        folder,
        claims,
        host: flags.host,
        port: Option.getOrUndefined(flags.port),
        title: Option.getOrUndefined(flags.title),
        drafts: flags.drafts ? "shown" : "omitted",
        editor: flags.editor,
        opens: flags.open,
        json: flags.json,
        fonts: files.fonts(),
        diagrams: files.diagrams()
      }).pipe(Effect.provide(Logs.layer("warn")))
    })
  ).pipe(Command.withDescription("Show a folder of Markdown as a site, and changes of its files at once"))

const readClaims = Effect.fnUntraced(function* (file: string) {
  const invalid = new CommandFailed({ message: `${file} has no claims: a JSON object is expected` })
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => new CommandFailed({ message: `${file} can't be read: ${fileErrorReason(error as Error)}` })
  })
  const claims = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => invalid })
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return yield* invalid
  return claims as { readonly [name: string]: unknown }
})
