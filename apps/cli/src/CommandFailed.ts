/** Failure of a command. `message` is one sentence for the operator, printed without a stack. The exit code is 1. */
import { Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  /** Fields that `--json` prints in addition to the error. */
  report: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}) {}
