/**
 * Task that an integration gives its program, now or later.
 *
 * Limits: due in 24 hours at most, 64 KiB of JSON; 10,000 of an integration, and 64 MiB (see `TaskAllowance`),
 * wait at once, until they are due or until they are delivered.
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

/** A task that waits until it is due. */
export const IntegrationTaskRow = Schema.Struct({
  id: Schema.String,
  integration: IntegrationKey,
  task: sealed<Task>(),
  /** The installation in whose run it was asked for, if it was in one's. */
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
  task: Task,
  /** In how many seconds it is due. Default: at once. */
  schedule: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
})
export type TaskRequest = typeof TaskRequest.Type

/** As many of its tasks wait as may. */
export class TooManyTasks extends Schema.TaggedError<TooManyTasks>()(
  "TooManyTasks",
  { message: Schema.String },
  { httpApiStatus: 429 }
) {}
