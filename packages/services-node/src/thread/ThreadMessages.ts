/** What goes to a thread of `NodeThreads` and back: one task at a time. */

export interface TaskMessage {
  readonly name: string
  readonly input: unknown
  /** What tasks share, by its number; `value` where the thread has not got it yet. */
  readonly shared?: { readonly id: number; readonly value?: object }
  /** What it need not keep any longer. */
  readonly forget?: number
}

/** `costly`: it can't be done here. `defect`: it should never have failed. */
export type TaskAnswer =
  | { readonly output: unknown }
  | { readonly costly: true }
  | { readonly defect: Pick<Error, "name" | "message" | "stack"> }

/** What the thread says first, once it has loaded what it needs. */
export const ready = "ready"
