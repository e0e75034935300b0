/** What an import and the thread that parses for it say to each other. */
import type { MessagePort } from "node:worker_threads"
import type { ParsedAhead } from "@lectern/core/content/import/SyntaxAhead"

/** A folder, as soon as it is known. Whoever gives it away closes the port when it needs no more. */
export interface Work {
  readonly folder: string
  readonly paths: ReadonlyArray<string>
  readonly port: MessagePort
}

/** In what order they are taken, which the import tells over the port when it knows. */
export interface Order {
  readonly paths: ReadonlyArray<string>
  /** For each path what has become of it (`free` and so on), and last the one that the import is at. */
  readonly shared: Int32Array
}

/** What the thread answers over the port. */
export interface Done {
  readonly path: string
  /** Undefined: it can't be read here. */
  readonly parsed: ParsedAhead | undefined
}

export const free = 0
export const taken = 1
export const done = 2
