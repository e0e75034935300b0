/**
 * The port that translates texts. Engines differ, so they are told little: a list of texts in, as
 * many texts out, in the same order. The default is the pseudo-translator (see `PseudoTranslator`);
 * `@lectern/services-node` has adapters for engines behind HTTP.
 *
 * A text is a fragment of HTML with two elements of our own (see `MarkedText`): `<m id="1">…</m>`
 * around words that are marked or linked, `<x id="2"/>` in place of what is not translated. Whoever
 * calls checks that they came back (`MarkedAnswer`).
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { Language } from "../schema/Language.ts"
import { pseudoTranslate } from "./PseudoTranslator.ts"

export interface TranslationRequest {
  readonly texts: ReadonlyArray<string>
  /** Undefined where nobody said: the engine may find out. */
  readonly from: Language | undefined
  readonly to: Language
  /** Guidance for the engine, as Markdown; an engine that takes none ignores it. */
  readonly instructions: string | undefined
}

/** The engine gave no answer, or none that can be used. The message is for whoever asked, and holds no secret. */
export class TranslatorFailed extends Schema.TaggedError<TranslatorFailed>()("TranslatorFailed", {
  reason: Schema.Literals(["timeout", "unreachable", "refused", "invalid"]),
  message: Schema.String
}) {}

export class Translator extends Context.Service<
  Translator,
  {
    /** Names the engine and what its answers depend on: another name, and all is translated anew. */
    readonly engine: string
    /** The most that one request holds. */
    readonly batch: { readonly texts: number; readonly characters: number }
    readonly translate: (request: TranslationRequest) => Effect.Effect<ReadonlyArray<string>, TranslatorFailed>
  }
>()("@lectern/core/translation/Translator") {
  static readonly layer = Layer.succeed(
    Translator,
    Translator.of({
      engine: "pseudo 1",
      batch: { texts: 200, characters: 50_000 },
      translate: ({ texts }) => Effect.sync(() => texts.map(pseudoTranslate))
    })
  )
}
