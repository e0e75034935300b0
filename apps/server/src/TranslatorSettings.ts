/** Which engine translates, and where it is. Default: the pseudo-translator, which asks nobody. */
import { ChatTranslator } from "@lectern/services-node/translation/ChatTranslator"
import { LibreTranslate } from "@lectern/services-node/translation/LibreTranslate"
import { Translator } from "@lectern/core/translation/Translator"
import { Duration, Effect, Option, type Redacted } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import * as SettingFlags from "./SettingFlags.ts"
import { urlOf, wholeNumber } from "./SettingValues.ts"

const engines = ["pseudo", "libretranslate", "openai"] as const

export const translatorFlags = {
  translator: SettingFlags.text("translator", `What translates: ${engines.join(", ")}`).pipe(
    Flag.withDefault("pseudo")
  ),
  translatorUrl: SettingFlags.text("translator-url", "Where the translation engine is").pipe(Flag.optional),
  translatorKey: SettingFlags.secret("translator-key", "The translation engine's key").pipe(Flag.optional),
  translatorModel: SettingFlags.text("translator-model", "The model that translates, of openai").pipe(Flag.optional),
  translatorTimeout: SettingFlags.text("translator-timeout", "Seconds that one answer of the engine may take").pipe(
    Flag.withDefault("60")
  )
}

interface Engine {
  readonly url: string
  readonly key?: Redacted.Redacted
  /** Seconds. */
  readonly timeout: number
}

export type TranslatorSettings =
  | { readonly engine: "pseudo" }
  | ({ readonly engine: "libretranslate" } & Engine)
  | ({ readonly engine: "openai"; readonly model: string } & Engine)

type Given = {
  readonly [K in keyof typeof translatorFlags]: (typeof translatorFlags)[K] extends Flag.Flag<infer A> ? A : never
}

export const translatorSettings = (given: Given): Effect.Effect<TranslatorSettings, CommandFailed> =>
  Effect.gen(function* () {
    const { translator, translatorUrl, translatorKey, translatorModel } = given
    const engine = engines.find((one) => one === translator.trim().toLowerCase())
    if (engine === undefined) {
      return yield* new CommandFailed({ message: `"${translator}" is no translator: ${engines.join(", ")}` })
    }
    if (engine === "pseudo") return { engine }
    if (Option.isNone(translatorUrl)) {
      return yield* new CommandFailed({ message: `The translator ${engine} needs LECTERN_TRANSLATOR_URL` })
    }
    const common: Engine = {
      url: yield* urlOf("translator URL", translatorUrl.value),
      ...(Option.isSome(translatorKey) && { key: translatorKey.value }),
      timeout: yield* wholeNumber("translator timeout (LECTERN_TRANSLATOR_TIMEOUT)", given.translatorTimeout, {
        min: 1,
        max: 3600
      })
    }
    if (engine === "libretranslate") return { engine, ...common }
    if (Option.isNone(translatorModel)) {
      return yield* new CommandFailed({ message: "The translator openai needs LECTERN_TRANSLATOR_MODEL" })
    }
    return { engine, ...common, model: translatorModel.value }
  })

export const layerOf = (settings: TranslatorSettings) => {
  if (settings.engine === "pseudo") return Translator.layer
  const options = { ...settings, timeout: Duration.seconds(settings.timeout) }
  return options.engine === "openai" ? ChatTranslator.layer(options) : LibreTranslate.layer(options)
}
