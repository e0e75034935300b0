/** A translation engine for tests. It records requests, and responds with the function `answer`. */
import { pseudoTranslate } from "@lectern/core/translation/PseudoTranslator"
import { Translator, TranslatorFailed, type TranslationRequest } from "@lectern/core/translation/Translator"
import { Effect, Layer } from "effect"

export class Engine {
  readonly asked: Array<TranslationRequest> = []
  answer: (request: TranslationRequest) => Effect.Effect<ReadonlyArray<string>, TranslatorFailed> = ({ texts }) =>
    Effect.succeed(texts.map(pseudoTranslate))

  /** All requested texts, in order. */
  get texts(): ReadonlyArray<string> {
    return this.asked.flatMap(({ texts }) => texts)
  }

  /** Returns the texts requested since the last call. */
  take(): ReadonlyArray<string> {
    const { texts } = this
    this.asked.length = 0
    return texts
  }

  get layer(): Layer.Layer<Translator> {
    return Layer.succeed(
      Translator,
      Translator.of({
        engine: "test",
        batch: { texts: 10, characters: 2_000 },
        translate: (request) =>
          Effect.suspend(() => {
            this.asked.push(request)
            return this.answer(request)
          })
      })
    )
  }
}

/** Converts text to upper case, except tags and character references. */
export const shouted = (text: string): string =>
  text.replace(/<[^<>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))

export const timesOut = () =>
  Effect.fail(
    new TranslatorFailed({ reason: "timeout", message: "The translation engine did not answer within 60 seconds" })
  )
