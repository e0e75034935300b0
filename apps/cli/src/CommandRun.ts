/**
 * Runs a command with the arguments of the process. A failure is one sentence on standard error without a stack, or an
 * object on standard output if `--json` is set. Exit code 0: success, or an interrupted server. Exit code 1: failure.
 * `lint`, and `build` with `--strict`, exit with 1 if they find problems, and with 2 if they fail.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Cause, Console, Effect, Exit } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { version } from "./Version.ts"

const args = process.argv.slice(2)
// The name of the command is searched in all arguments, since flags may precede it.
const isServer = args.includes("serve") || args.includes("dev")
const failureCode = args.includes("lint") || args.includes("build") ? 2 : 1

/** Prints help that was requested. `report` prints errors of an invalid invocation. */
const presenter: CliOutput.Presenter = {
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
}

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
  if (isShowHelp(failure)) {
    const messages = failure.errors.map(({ message }) => message)
    return messages.length === 0 ? undefined : messages.join(" ").replaceAll("\n", " ")
  }
  if (!(failure instanceof Error)) return String(failure)
  return "_tag" in failure ? failure.message : `Unexpected error: ${failure.message}`
}

const isShowHelp = (failure: unknown): failure is CliError.ShowHelp =>
  CliError.isCliError(failure) && failure._tag === "ShowHelp"

/** Runs the command with one of its subcommands. */
export const run = <Input, ContextInput, E>(
  lectern: Command.Command<"lectern", Input, ContextInput, E, Command.Environment>
): void => {
  // Without these handlers, Node exits with a stack if output can't be written (a closed pipe, a full disk). A server
  // continues; a command whose output is lost fails.
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || process.exitCode === 1) return
    process.exitCode = 1
    process.stderr.write(`lectern: Standard output can't be written: ${fileErrorReason(error)}\n`)
  })
  Command.runWith(lectern, { version })(args).pipe(
    Effect.catch((error) => (isShowHelp(error) && error.errors.length === 0 ? Effect.void : Effect.fail(error))),
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
}
