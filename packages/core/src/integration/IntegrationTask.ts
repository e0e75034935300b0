/**
 * What an integration gives its program to do, now or later.
 *
 * Limits: due in 24 hours at most, 64 KiB of JSON.
 */
import { Schema } from "effect"

export const maxTaskBytes = 64 * 1024

export const Task = Schema.Record(Schema.String, Schema.Json).check(
  Schema.makeFilter((task) =>
    JSON.stringify(task).length > maxTaskBytes ? "Expected at most 64 KiB of JSON" : undefined
  )
)

export const TaskRequest = Schema.Struct({
  task: Task,
  /** In how many seconds it is due. Default: at once. */
  schedule: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
})
export type TaskRequest = typeof TaskRequest.Type
