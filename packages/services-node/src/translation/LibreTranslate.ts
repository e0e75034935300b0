/**
 * Implements `Translator` with an engine that has the API of LibreTranslate. The API has no instructions, so those of a
 * translation are ignored.
 *
 * The engine's language codes are requested once, since engines use different codes for some languages.
 */
import type { Language } from "@lectern/core/schema/Language"
import { Translator, type TranslatorFailed } from "@lectern/core/translation/Translator"
import { Effect, Layer, Redacted } from "effect"
import { sendRequest, type EngineOptions, failed } from "./EngineRequest.ts"

/** Engine codes by language, the preferred one first. Other languages have the same code. */
const names: Partial<Record<Language, ReadonlyArray<string>>> = {
  "pt-br": ["pt-BR", "pb", "pt"],
  zh: ["zh-Hans", "zh"],
  "zh-tw": ["zh-Hant", "zt"],
  no: ["nb", "no"]
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((text) => typeof text === "string")

const make = (options: EngineOptions) => {
  const url = options.url.replace(/\/+$/, "")
  let cachedLanguages: ReadonlySet<string> | undefined

  /** Returns the codes of the engine's languages. */
  const offered = Effect.gen(function* () {
    if (cachedLanguages !== undefined) return cachedLanguages
    const languages = yield* sendRequest(options, { method: "GET", url: `${url}/languages` })
    if (!Array.isArray(languages))
      return yield* failed("invalid", "The translation engine does not say which languages it has")
    return (cachedLanguages = new Set(
      languages.flatMap((language) => (typeof language?.code === "string" ? [language.code as string] : []))
    ))
  })

  const codeOf = Effect.fnUntraced(function* (language: Language): Effect.fn.Return<string, TranslatorFailed> {
    const codes = yield* offered
    const code = (names[language] ?? [language]).find((name) => codes.has(name))
    return code ?? (yield* failed("refused", `The translation engine does not have the language ${language}`))
  })

  return Translator.of({
    engine: "libretranslate",
    batch: { texts: 20, characters: 5_000 },
    translate: Effect.fn("LibreTranslate.translate")(function* ({ texts, from, to }) {
      const body = {
        q: texts,
        source: from === undefined ? "auto" : yield* codeOf(from),
        target: yield* codeOf(to),
        format: "html",
        ...(options.key !== undefined && { api_key: Redacted.value(options.key) })
      }
      const response = (yield* sendRequest(options, { method: "POST", url: `${url}/translate`, body })) as {
        readonly translatedText?: unknown
      } | null
      return isTexts(response?.translatedText)
        ? response.translatedText
        : yield* failed("invalid", "The translation engine does not answer with texts")
    })
  })
}

export const LibreTranslate = { layer: (options: EngineOptions) => Layer.sync(Translator, () => make(options)) }
