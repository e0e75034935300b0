/** Messages between `NodeThreads` and one of its threads. A thread runs one task at a time. */

export interface TaskMessage {
  readonly name: string
  readonly input: unknown
  /** Value that tasks share, with its id. `value` is included if the thread does not have it yet. */
  readonly shared?: { readonly id: number; readonly value?: object }
  /** Id of a shared value that the thread can drop. */
  readonly forget?: number
}

/**
 * Response to a task.
 *
 * - `costly`: the task exceeds the thread's limits.
 * - `notStarted`: the thread did not start, for example because the process may open no more files. The value is the
 *   reason.
 * - `defect`: the task failed unexpectedly.
 */
export type TaskResult =
  | { readonly output: unknown }
  | { readonly costly: true }
  | { readonly notStarted: string }
  | { readonly defect: Pick<Error, "name" | "message" | "stack"> }

/** First message of a thread, sent when its modules are loaded. */
export const ready = "ready"
