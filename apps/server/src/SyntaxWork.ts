/** What an import and the thread that parses for it say to each other. */
import type { MessagePort } from "node:worker_threads"
import type { ParsedAhead } from "@lectern/core/content/import/SyntaxAhead"

export interface Work {
  readonly folder: string
  readonly paths: ReadonlyArray<string>
  /** For each path what has become of it (`free` and so on), and last the one that the import is at. */
  readonly shared: Int32Array
  readonly port: MessagePort
}

export interface Done {
  readonly index: number
  /** Undefined: it can't be read here. */
  readonly parsed: ParsedAhead | undefined
}

export const free = 0
export const taken = 1
export const done = 2
