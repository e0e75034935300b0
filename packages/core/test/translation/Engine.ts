/** A translation engine that a test leads: it notes what it is asked for, and answers as it is told. */
import { pseudoTranslate } from "@lectern/core/translation/PseudoTranslator"
import { Translator, TranslatorFailed, type TranslationRequest } from "@lectern/core/translation/Translator"
import { Effect, Layer } from "effect"

export class Engine {
  readonly asked: Array<TranslationRequest> = []
  answer: (request: TranslationRequest) => Effect.Effect<ReadonlyArray<string>, TranslatorFailed> = ({ texts }) =>
    Effect.succeed(texts.map(pseudoTranslate))

  /** Every text that it was asked for, in order. */
  get texts(): ReadonlyArray<string> {
    return this.asked.flatMap(({ texts }) => texts)
  }

  /** Texts that it was asked for since the last time. */
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

/** Upper case, but for the tags. */
export const shouted = (text: string): string =>
  text.replace(/<[^<>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))

export const timesOut = () =>
  Effect.fail(
    new TranslatorFailed({ reason: "timeout", message: "The translation engine did not answer within 60 seconds" })
  )
