/**
 * Port for translation of texts. The interface is minimal, because engines differ: a list of texts is translated to a
 * list of the same length and order. The default is the pseudo-translator (see `PseudoTranslator`);
 * `@lectern/services-node` contains adapters for engines with an HTTP API.
 *
 * A text is a fragment of HTML with two custom elements (see `MarkedText`): `<m id="1">…</m>` around words that are
 * marked or linked, `<x id="2"/>` for untranslated parts. The caller checks that they are complete in the result
 * (`MarkedTranslation`).
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { Language } from "../schema/Language.ts"
import { pseudoTranslate } from "./PseudoTranslator.ts"

export interface TranslationRequest {
  readonly texts: ReadonlyArray<string>
  /** Undefined if unknown; the engine may detect the language. */
  readonly from: Language | undefined
  readonly to: Language
  /** Instructions for the engine as Markdown. Engines without support ignore them. */
  readonly instructions: string | undefined
}

/**
 * Raised if the engine did not respond, or its response is invalid. The message is shown to users and contains no
 * secrets.
 */
export class TranslatorFailed extends Schema.TaggedError<TranslatorFailed>()("TranslatorFailed", {
  reason: Schema.Literals(["timeout", "unreachable", "refused", "invalid"]),
  message: Schema.String
}) {}

export class Translator extends Context.Service<
  Translator,
  {
    /** Identifies the engine and its version. A change invalidates stored translations. */
    readonly engine: string
    /** Maximum size of one request. */
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
