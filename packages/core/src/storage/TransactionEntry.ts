/** Transaction in a `TransactionQueue`, with its state. */
import type { Context, Exit } from "effect"
import type { TransactionScope } from "./TransactionScope.ts"

export interface TransactionEntry {
  /** Context of the caller. */
  readonly context: Context.Context<never>
  /**
   * Scope of the transaction. Undefined for a single write, which needs no savepoint. Each run over a remote store has
   * a new scope.
   */
  scope: TransactionScope | undefined
  readonly run: (entry: TransactionEntry) => Exit.Exit<unknown, unknown>
  /** Passes control of the store to a transaction in steps. Replaces `run`. */
  readonly delegate?: () => void
  readonly resume: (exit: Exit.Exit<any, any>) => void
  state: "queued" | "cancelled" | "started" | "acknowledged"
  exit: Exit.Exit<unknown, unknown>
  /** Number of commits that a remote store refused as outdated. */
  refusals: number
  /** Resumes a caller that was interrupted while its transaction ran. */
  onAcknowledged: () => void
}

export const noop = () => {}
