/**
 * The port that makes a spec of bytes: reads, checks and upgrades them (see `SpecText` for the
 * rules). The default does it where it stands, in plain JavaScript, and nothing else runs meanwhile:
 * about three seconds for a spec of 5 MB. On Node, provide the adapter of `@lectern/services-node`,
 * which does it in a thread of its own, within bounds of time and memory.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SpecFormat } from "./SpecFormat.ts"

export interface ParsedSpec {
  readonly format: SpecFormat
  /** The version of OpenAPI it is written in, as `3.1.0`; of what was upgraded, the version it came to. */
  readonly version: string
  /** The document as UTF-8 of JSON: the very bytes where they are that. */
  readonly document: Uint8Array
}

/** What is wrong with a spec: at most `maxProblems`, and how many there are. */
export interface SpecProblems {
  readonly messages: ReadonlyArray<string>
  readonly count: number
}

export class SpecRefused extends Schema.TaggedError<SpecRefused>()("SpecRefused", {
  messages: Schema.Array(Schema.String),
  count: Schema.Int
}) {}

export class SpecParser extends Context.Service<
  SpecParser,
  { readonly parse: (bytes: Uint8Array) => Effect.Effect<ParsedSpec, SpecRefused> }
>()("@lectern/core/openapi/SpecParser") {
  // What it takes is large and seldom needed, so it is loaded when it is first asked for.
  static readonly layer = Layer.succeed(
    SpecParser,
    SpecParser.of({
      parse: (bytes) =>
        Effect.promise(() => import("./SpecText.ts")).pipe(
          Effect.map(({ read }) => read(bytes)),
          Effect.flatMap(Effect.fromResult),
          Effect.mapError((problems) => new SpecRefused(problems))
        )
    })
  )
}
