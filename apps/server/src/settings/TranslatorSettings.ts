/** Settings of the translation engine. Default: the pseudo-translator, which sends no requests. */
import { ChatTranslator } from "@lectern/services-node/translation/ChatTranslator"
import { LibreTranslate } from "@lectern/services-node/translation/LibreTranslate"
import { Translator } from "@lectern/core/translation/Translator"
import { Effect, type Redacted } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import type { SettingValues } from "./Setting.ts"
import type { serverTable } from "./SettingTable.ts"

interface Engine {
  readonly url: string
  readonly key?: Redacted.Redacted
  /** Timeout of a request, in seconds. */
  readonly timeout: number
}

export type TranslatorSettings =
  | { readonly engine: "pseudo" }
  | ({ readonly engine: "libretranslate" } & Engine)
  | ({ readonly engine: "openai"; readonly model: string } & Engine)

export const translatorSettings = (
  values: SettingValues<typeof serverTable>
): Effect.Effect<TranslatorSettings, CommandFailed> =>
  Effect.gen(function* () {
    const { translator: engine, translatorUrl, translatorKey, translatorModel } = values
    if (engine === "pseudo") return { engine }
    if (translatorUrl === undefined) {
      return yield* new CommandFailed({ message: `The translator ${engine} needs LECTERN_TRANSLATOR_URL` })
    }
    const common: Engine = {
      url: translatorUrl,
      ...(translatorKey !== undefined && { key: translatorKey }),
      timeout: values.translatorTimeout
    }
    if (engine === "libretranslate") return { engine, ...common }
    if (translatorModel === undefined) {
      return yield* new CommandFailed({ message: "The translator openai needs LECTERN_TRANSLATOR_MODEL" })
    }
    return { engine, ...common, model: translatorModel }
  })

export const layerOf = (settings: TranslatorSettings) => {
  if (settings.engine === "pseudo") return Translator.layer
  const options = { ...settings, timeout: { seconds: settings.timeout } }
  return options.engine === "openai" ? ChatTranslator.layer(options) : LibreTranslate.layer(options)
}
