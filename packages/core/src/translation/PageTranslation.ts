/**
 * Translates the texts of one page or one reusable content: texts with a stored translation are reused, the others are
 * sent to the engine in batches. An invalid translation is requested once more; after that the text stays untranslated
 * until the next run, and is counted.
 */
import { Effect } from "effect"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import type { Threads } from "../thread/Threads.ts"
import { CollectTexts, type TranslationInput, type TranslatedResult, ApplyTranslations } from "./TranslateTexts.ts"
import { type TranslationRequest, type Translator, TranslatorFailed } from "./Translator.ts"

export interface TranslatedPage extends Omit<TranslatedResult, "refused"> {
  /** Number of words sent to the engine. */
  readonly words: number
}

interface Guidance extends Omit<TranslationRequest, "texts"> {
  /** Terms with their translations. The engine gets those that occur in its texts, at most 100. */
  readonly terms: ReadonlyArray<readonly [from: string, to: string]>
}

const maxTerms = 100

/** Returns undefined if the translation exceeds the limits of time or memory. */
export const translate = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  page: TranslationInput & { readonly source: string },
  translator: Translator["Service"],
  guidance: Guidance
): Effect.fn.Return<TranslatedPage | undefined, TranslatorFailed | StorageError> {
  const collectedTexts = yield* undefinedIfTooCostly(threads.run(CollectTexts, page, patient))
  if (collectedTexts === undefined) return undefined
  const { untranslated, words } = collectedTexts
  const translations = Array.from(yield* requestTexts(untranslated, translator, guidance))
  let result = yield* undefinedIfTooCostly(threads.run(ApplyTranslations, { ...page, translations }, patient))
  if (result !== undefined && result.refused.length > 0) {
    const { refused } = result
    const retriedTexts = yield* requestTexts(
      refused.map((i) => untranslated[i]!),
      translator,
      guidance
    )
    for (const [n, i] of refused.entries()) translations[i] = retriedTexts[n]!
    result = yield* undefinedIfTooCostly(threads.run(ApplyTranslations, { ...page, translations }, patient))
  }
  return result && { ...result, words }
})

const undefinedIfTooCostly = <A>(
  work: Parameters<typeof Fallback.withFallback<A, undefined, StorageError, StorageError>>[1]
) => Fallback.withFallback("A page could not be translated", work, Effect.undefined)

const patient = { patient: true }

/** Translates texts in batches. */
const requestTexts = Effect.fnUntraced(function* (
  texts: ReadonlyArray<string>,
  translator: Translator["Service"],
  { terms, ...guidance }: Guidance
): Effect.fn.Return<ReadonlyArray<string>, TranslatorFailed> {
  const translations: Array<string> = []
  for (const batch of batchesOf(texts, translator.batch)) {
    const batchTranslations = yield* translator.translate({
      ...guidance,
      instructions: withTerms(guidance.instructions, terms, batch),
      texts: batch
    })
    if (batchTranslations.length !== batch.length) {
      return yield* new TranslatorFailed({
        reason: "invalid",
        message: `The translation engine answered ${batchTranslations.length} of ${batch.length} texts`
      })
    }
    for (const translation of batchTranslations) translations.push(translation)
    yield* Effect.yieldNow
  }
  return translations
})

const batchesOf = (
  all: ReadonlyArray<string>,
  limit: Translator["Service"]["batch"]
): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let characters = Infinity
  for (const text of all) {
    const last = batches.at(-1)
    characters += text.length
    if (last !== undefined && last.length < limit.texts && characters <= limit.characters) {
      last.push(text)
      continue
    }
    batches.push([text])
    characters = text.length
  }
  return batches
}

/** Returns the instructions followed by the terms that occur in the texts. */
const withTerms = (
  instructions: string | undefined,
  terms: Guidance["terms"],
  texts: ReadonlyArray<string>
): string | undefined => {
  if (terms.length === 0) return instructions
  const text = texts.join("\n").toLowerCase()
  const usedTerms = terms.filter(([term]) => text.includes(term.toLowerCase())).slice(0, maxTerms)
  if (usedTerms.length === 0) return instructions
  const list = usedTerms.map(([term, meaning]) => `* ${JSON.stringify(term)}: ${JSON.stringify(meaning)}`).join("\n")
  return `${instructions === undefined ? "" : `${instructions}\n`}Terms, and what they are called:\n\n${list}\n`
}
