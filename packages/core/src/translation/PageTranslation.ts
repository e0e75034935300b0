/**
 * Translates the texts of one page, or of one reusable content: those that were answered before are
 * not asked for again, the others go to the engine in batches. An answer that can't be used is asked
 * for once more; then the text stays as it is in the source until the next run, and is counted.
 */
import { Effect } from "effect"
import type { StorageError } from "../storage/Storage.ts"
import * as Otherwise from "../thread/Otherwise.ts"
import type { Threads } from "../thread/Threads.ts"
import { CollectTexts, type Input, type Put, PutAnswers } from "./TranslateTexts.ts"
import { type TranslationRequest, type Translator, TranslatorFailed } from "./Translator.ts"

export interface Translated extends Omit<Put, "refused"> {
  /** Words that went to the engine; 0 where it was asked for nothing. */
  readonly words: number
}

interface Guidance extends Omit<TranslationRequest, "texts"> {
  /** Terms with their translations. The engine is told those that stand in what it is asked for, 100 at most. */
  readonly terms: ReadonlyArray<readonly [from: string, to: string]>
}

const maxTerms = 100

/** Undefined where it takes more time or memory than it may. */
export const translate = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  page: Input & { readonly source: string },
  translator: Translator["Service"],
  guidance: Guidance
): Effect.fn.Return<Translated | undefined, TranslatorFailed | StorageError> {
  const collected = yield* orNothing(threads.run(CollectTexts, page, patient))
  if (collected === undefined) return undefined
  const { open, words } = collected
  const given = Array.from(yield* ask(open, translator, guidance))
  let put = yield* orNothing(threads.run(PutAnswers, { ...page, given }, patient))
  if (put !== undefined && put.refused.length > 0) {
    const { refused } = put
    const again = yield* ask(
      refused.map((i) => open[i]!),
      translator,
      guidance
    )
    for (const [n, i] of refused.entries()) given[i] = again[n]!
    put = yield* orNothing(threads.run(PutAnswers, { ...page, given }, patient))
  }
  return put && { ...put, words }
})

const orNothing = <A>(work: Parameters<typeof Otherwise.orElse<A, undefined, StorageError, StorageError>>[1]) =>
  Otherwise.orElse("A page could not be translated", work, Effect.undefined)

const patient = { patient: true }

/** Asks the engine for each of these texts. */
const ask = Effect.fnUntraced(function* (
  texts: ReadonlyArray<string>,
  translator: Translator["Service"],
  { terms, ...guidance }: Guidance
): Effect.fn.Return<ReadonlyArray<string>, TranslatorFailed> {
  const answers: Array<string> = []
  for (const batch of batchesOf(texts, translator.batch)) {
    const answered = yield* translator.translate({
      ...guidance,
      instructions: withTerms(guidance.instructions, terms, batch),
      texts: batch
    })
    if (answered.length !== batch.length) {
      return yield* new TranslatorFailed({
        reason: "invalid",
        message: `The translation engine answered ${answered.length} of ${batch.length} texts`
      })
    }
    for (const answer of answered) answers.push(answer)
    yield* Effect.yieldNow
  }
  return answers
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

/** The instructions, and below them the terms that stand in these texts. */
const withTerms = (
  instructions: string | undefined,
  terms: Guidance["terms"],
  texts: ReadonlyArray<string>
): string | undefined => {
  if (terms.length === 0) return instructions
  const text = texts.join("\n").toLowerCase()
  const used = terms.filter(([term]) => text.includes(term.toLowerCase())).slice(0, maxTerms)
  if (used.length === 0) return instructions
  const list = used.map(([term, meaning]) => `* ${JSON.stringify(term)}: ${JSON.stringify(meaning)}`).join("\n")
  return `${instructions === undefined ? "" : `${instructions}\n`}Terms, and what they are called:\n\n${list}\n`
}
