/** Parses, checks and upgrades a spec (see `SpecText` for the rules). Takes seconds for 5 MB. */
import { Result } from "effect"
import * as Computation from "../thread/Computation.ts"
import type { SpecFormat } from "./SpecFormat.ts"

export interface ParsedSpec {
  readonly format: SpecFormat
  /** Version of OpenAPI, such as `3.1.0`. For Swagger, the version after the upgrade. */
  readonly version: string
  /** Document as JSON in UTF-8. Identical to the input if the input has this form. */
  readonly document: Uint8Array
  /** Up to `maxProblems` warnings. */
  readonly warnings: ReadonlyArray<SpecWarning>
  readonly warningCount: number
}

/** A deviation of a spec from OpenAPI. */
export interface SpecWarning {
  readonly message: string
  /** JSON pointer. Empty for the whole spec. */
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

/** Result of the computation. `document` is absent if it is identical to the input. */
type ReadResult =
  | { readonly parsed: Omit<ParsedSpec, "document">; readonly document?: Uint8Array }
  | { readonly problems: SpecProblems }

/** Computation that parses a spec. One minute suffices for 20 MiB of JSON, or about 10 MiB of YAML. */
export const ReadSpec = Computation.lazy<Uint8Array, ReadResult>({
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
