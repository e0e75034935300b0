/**
 * A task that an integration schedules for its own program.
 *
 * Limits: due within 24 hours, 64 KiB of JSON; for each integration 10,000 scheduled or queued tasks, and 64 MiB of
 * them (see `TaskAllowance`).
 */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"
import { IntegrationKey } from "./Integration.ts"

export const maxTaskBytes = 64 * 1024
export const maxWaitingTasks = 10_000

export const Task = Schema.Record(Schema.String, Schema.Json).check(
  Schema.makeFilter((task) =>
    JSON.stringify(task).length > maxTaskBytes ? "Expected at most 64 KiB of JSON" : undefined
  )
)

export type Task = typeof Task.Type

/** A task that is not due yet. */
export const IntegrationTaskRow = Schema.Struct({
  id: Schema.String,
  integration: IntegrationKey,
  task: sealed<Task>(),
  /** Installation in whose run the task was requested. Undefined outside of a run. */
  about: Schema.optionalKey(InstallationId),
  createdAt: Timestamp
})
export type IntegrationTaskRow = typeof IntegrationTaskRow.Type

export const IntegrationTaskTable = Table.make("integrationTask", IntegrationTaskRow, {
  key: ["id"],
  indexes: [["integration"]],
  sealed: ["task"]
})

export const TaskRequest = Schema.Struct({
  /** Data of the task, which the program receives. */
  task: Task,
  /** Delay in seconds. Default: 0. */
  schedule: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
})
export type TaskRequest = typeof TaskRequest.Type

/** Raised if the integration has too many scheduled and queued tasks. Retry after some have run. */
export class TooManyTasks extends Schema.TaggedError<TooManyTasks>()(
  "TooManyTasks",
  { message: Schema.String },
  { httpApiStatus: 429 }
) {}
