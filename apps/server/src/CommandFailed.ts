/** Failure of a command, in one sentence for whoever typed it: printed without a stack, exit code 1. */
import { Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  /** Told besides with `--json`. */
  report: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}) {}
