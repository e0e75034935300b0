/**
 * Guesses the language of a folder from the text of its pages: by a script that only one language uses, by letters that
 * only one language of a script has, or by trigrams (`franc`) for Latin script.
 *
 * Limits: 30 languages; the first 2,000 characters of prose of each page, 40,000 in total, and at least 200 letters. No
 * guess for a text that is too short, or half one language and half another.
 */
import { Effect } from "effect"
import type { Language } from "@lectern/core/schema/Language"

const maxPageText = 2_000
const maxTotalText = 40_000
const minLetters = 200
/**
 * Minimum share of all letters for a script to decide. Below half, because code and names are Latin in every language.
 */
const decisiveShare = 0.25
/** Minimum share of a script's letters that belong to one language only. */
const minOwnLetterShare = 0.002
/**
 * Minimum ratio of the second language's score to the first one's at which the guess is ambiguous. There is then no
 * guess.
 */
const ambiguousRatio = 0.995

/** Languages that trigrams distinguish, by their three-letter codes. */
const latinLanguages: Readonly<Record<string, Language>> = {
  eng: "en",
  spa: "es",
  por: "pt",
  fra: "fr",
  deu: "de",
  ita: "it",
  nld: "nl",
  pol: "pl",
  tur: "tr",
  swe: "sv",
  dan: "da",
  nob: "no",
  fin: "fi",
  ces: "cs",
  hun: "hu",
  ron: "ro",
  ind: "id",
  vie: "vi"
}

const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  arabic: /\p{Script=Arabic}/gu,
  han: /\p{Script=Han}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}/gu,
  thai: /\p{Script=Thai}/gu,
  greek: /\p{Script=Greek}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu
} as const

/** Letters that only one language of a script uses. The first language with enough of these letters is the guess. */
const uniqueLetters: Readonly<Record<"cyrillic" | "arabic", ReadonlyArray<readonly [Language, RegExp]>>> = {
  cyrillic: [
    ["uk", /[іїєґ]/giu],
    ["ru", /[ыэё]/giu]
  ],
  arabic: [
    ["ur", /[ٹڈڑےںھ]/gu],
    ["fa", /[پچژگ]/gu],
    ["ar", /[ةىئؤأإ]/gu]
  ]
}

const countMatches = (text: string, pattern: RegExp): number => {
  let total = 0
  for (const _ of text.matchAll(pattern)) total++
  return total
}

/** Returns the text without language-neutral parts: front matter, code, tags, URLs. */
const proseOf = (text: string): string =>
  text
    .slice(0, 4 * maxPageText)
    .replace(/^---\n[^]*?\n---\n/, "")
    .replace(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|(?![^]))/gm, " ")
    .replace(/`[^`\n]*`|<[^<>]*>|\{[%{][^{}]*[%}]\}|\]\([^()\n]*\)|https?:\/\/\S+/g, " ")
    .slice(0, maxPageText)

/** A guessed language, and the number of pages whose text was read. */
export interface GuessedLanguage {
  readonly language: Language
  readonly pages: number
}

export class LanguageGuess {
  #text = ""
  #pages = 0

  get pages(): number {
    return this.#pages
  }

  /** Adds the text of a page. */
  add(text: string): void {
    this.#pages++
    if (this.#text.length < maxTotalText) this.#text += `${proseOf(text)}\n`
  }

  /** The guessed language of the texts; undefined if the texts do not determine one. */
  readonly guess: Effect.Effect<Language | undefined> = Effect.suspend(() => {
    const counts = Object.fromEntries(
      Object.entries(scripts).map(([script, pattern]) => [script, countMatches(this.#text, pattern)])
    ) as Record<keyof typeof scripts, number>
    const letters = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (letters < minLetters) return Effect.undefined
    const isDecisive = (letterCount: number) => letterCount >= letters * decisiveShare
    // A Chinese, Japanese or Korean character has the information of several Latin letters, so half the share suffices.
    if (counts.hangul >= letters * (decisiveShare / 2)) return Effect.succeed("ko" as const)
    if (counts.kana + counts.han >= letters * (decisiveShare / 2)) {
      return Effect.succeed(counts.kana * 10 > counts.han ? ("ja" as const) : ("zh" as const))
    }
    if (isDecisive(counts.thai)) return Effect.succeed("th" as const)
    if (isDecisive(counts.greek)) return Effect.succeed("el" as const)
    if (isDecisive(counts.hebrew)) return Effect.succeed("he" as const)
    if (isDecisive(counts.devanagari)) return Effect.succeed("hi" as const)
    for (const script of ["cyrillic", "arabic"] as const) {
      if (!isDecisive(counts[script])) continue
      const minCount = Math.max(3, counts[script] * minOwnLetterShare)
      return Effect.succeed(
        uniqueLetters[script].find(([, pattern]) => countMatches(this.#text, pattern) >= minCount)?.[0]
      )
    }
    return isDecisive(counts.latin) ? this.#byTrigrams : Effect.undefined
  })

  /** Guesses by trigrams. The trigram tables are loaded on the first use. */
  get #byTrigrams(): Effect.Effect<Language | undefined> {
    return Effect.map(
      Effect.promise(() => import("franc")),
      ({ francAll }) => {
        const [first, second] = francAll(this.#text, { only: Object.keys(latinLanguages) })
        if (first === undefined || (second?.[1] ?? 0) >= ambiguousRatio) return undefined
        return latinLanguages[first[0]]
      }
    )
  }
}
