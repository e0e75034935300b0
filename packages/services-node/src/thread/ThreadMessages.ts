/** Messages between `NodeThreads` and a thread of it: one task at a time. */

export interface TaskMessage {
  readonly name: string
  readonly input: unknown
  /** The value that tasks share, by its number; `value` where the thread does not have it yet. */
  readonly shared?: { readonly id: number; readonly value?: object }
  /** Number of the shared value that the thread need not keep any longer. */
  readonly forget?: number
}

/**
 * `costly`: it can't be done here. `notBegun`: the thread never began, as where the process may open no more files; the
 * reason is in words. `defect`: it should never have failed.
 */
export type TaskAnswer =
  | { readonly output: unknown }
  | { readonly costly: true }
  | { readonly notBegun: string }
  | { readonly defect: Pick<Error, "name" | "message" | "stack"> }

/** First message of a thread, once it has loaded what it needs. */
export const ready = "ready"
