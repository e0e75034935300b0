/** Makes a spec of bytes: reads, checks and upgrades them (see `SpecText` for the rules). Seconds for 5 MB. */
import { Result } from "effect"
import * as Computation from "../thread/Computation.ts"
import type { SpecFormat } from "./SpecFormat.ts"

export interface ParsedSpec {
  readonly format: SpecFormat
  /** The version of OpenAPI it is written in, as `3.1.0`; of what was upgraded, the version it came to. */
  readonly version: string
  /** The document as UTF-8 of JSON: the very bytes where they are that. */
  readonly document: Uint8Array
  /** Up to `maxProblems` warnings. */
  readonly warnings: ReadonlyArray<SpecWarning>
  readonly warningCount: number
}

/** A deviation of a spec from OpenAPI. */
export interface SpecWarning {
  readonly message: string
  /** A JSON pointer; empty for the spec as a whole. */
  readonly path: string
  /** Line of the source text, from 1. `column`: in characters, from 1. */
  readonly line?: number
  readonly column?: number
}

/** Problems of a spec: at most `maxProblems` of them, and their number. */
export interface SpecProblems {
  readonly messages: ReadonlyArray<string>
  readonly count: number
}

/** `document` is left out where it is the bytes that were given. */
type Answer =
  | { readonly parsed: Omit<ParsedSpec, "document">; readonly document?: Uint8Array }
  | { readonly problems: SpecProblems }

/** A minute: enough for 20 MiB of JSON, or about 10 MiB of YAML. */
export const ReadSpec = Computation.lazy<Uint8Array, Answer>({
  name: "read-spec",
  timeout: 60_000,
  load: async () => {
    const { read } = await import("./SpecText.ts")
    return (bytes) =>
      Result.match(read(bytes), {
        onSuccess: ({ document, ...parsed }) => ({ parsed, ...(document !== bytes && { document }) }),
        onFailure: (problems) => ({ problems })
      })
  }
})
