/** Runs the `lectern` command with the arguments of the process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Cause, Console, Effect, Exit } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { Backup } from "./commands/Backup.ts"
import { Catalogue } from "./commands/Catalogue.ts"
import { Check } from "./commands/Check.ts"
import { Dev } from "./commands/Dev.ts"
import { Export } from "./commands/Export.ts"
import { Health } from "./commands/Health.ts"
import { Import } from "./commands/Import.ts"
import { Jobs } from "./commands/Jobs.ts"
import { Key } from "./commands/Key.ts"
import { Lint } from "./commands/Lint.ts"
import { Site, Space } from "./commands/Listing.ts"
import { Organization } from "./commands/Organization.ts"
import { Restore } from "./commands/Restore.ts"
import { Serve } from "./commands/Serve.ts"
import { Search } from "./commands/Search.ts"
import { Settings } from "./commands/Settings.ts"
import { Token } from "./commands/Token.ts"
import { Upgrade } from "./commands/Upgrade.ts"
import { User } from "./commands/User.ts"
import { Why } from "./commands/Why.ts"
import { version } from "./Version.ts"

const args = process.argv.slice(2)
// The name of the command is searched in all arguments, since flags may precede it.
const isServer = args.includes("serve") || args.includes("dev")
/** Exit code of a failure. `lint` exits with 1 if it finds problems. */
const failureCode = args.includes("lint") ? 2 : 1

const lectern = Command.make("lectern").pipe(
  Command.withDescription("Hosts documentation"),
  Command.withSubcommands([
    Dev,
    Lint,
    Serve,
    Health,
    Settings,
    Organization,
    User,
    Space,
    Site,
    Token,
    Import,
    Export,
    Jobs,
    Search,
    Why,
    Catalogue,
    Key,
    Backup,
    Restore,
    Upgrade,
    Check
  ])
)

/** Prints help that was requested. `report` prints errors of an invalid invocation. */
const presenter: CliOutput.Presenter = {
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
}

/** Prints a failure as one sentence without a stack, or as JSON if `--json` is set. */
const report = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const failure = Cause.squash(cause)
  const message = sentence(failure)
  if (message === undefined) return Effect.void
  const report = failure instanceof CommandFailed ? failure.report : undefined
  return args.includes("--json")
    ? Console.log(JSON.stringify({ error: { message }, ...report }))
    : Console.error(`lectern: ${message}`)
}

const sentence = (failure: unknown): string | undefined => {
  if (!(failure instanceof Error)) return String(failure)
  if ("errors" in failure && Array.isArray(failure.errors) && isShowHelp(failure)) {
    const messages = failure.errors.map((error: unknown) => (error instanceof Error ? error.message : String(error)))
    return messages.length === 0 ? undefined : messages.join(" ").replaceAll("\n", " ")
  }
  return "_tag" in failure ? failure.message : `Unexpected error: ${failure.message}`
}

const isShowHelp = (failure: Error) => "_tag" in failure && failure._tag === "ShowHelp"

// Without these handlers, Node exits with a stack if output can't be written (a closed pipe, a full disk). A server
// continues; a command whose output is lost fails.
process.stderr.on("error", () => {})
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode === 1) return
  process.exitCode = 1
  process.stderr.write(`lectern: Standard output can't be written: ${fileErrorReason(error)}\n`)
})

Command.runWith(lectern, { version })(args).pipe(
  Effect.catchTag("ShowHelp", (help) => (help.errors.length === 0 ? Effect.void : Effect.fail(help))),
  Effect.provide([
    CliOutput.layerPresenter(presenter),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    NodeServices.layer
  ]),
  Effect.tapCause(report),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // An interrupted server has stopped as requested, so it exits with 0. Any other interrupted command has failed.
    teardown: (exit, onExit) =>
      onExit(Exit.isSuccess(exit) || (isServer && Cause.hasInterruptsOnly(exit.cause)) ? 0 : failureCode)
  })
)
