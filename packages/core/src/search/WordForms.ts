/**
 * Stems, which are common to the forms of a word in the language of a space: `subscription` and `subscriptions`,
 * `customise` and `customize`. Default language: English. Words in plain Latin letters are also stemmed as English if
 * the language uses another script.
 *
 * Limits: languages without a known stemmer (Croatian, Czech, Hebrew, Persian, Polish and others, see `stems`) leave
 * words unchanged. Stems are cached for 50,000 words of each language.
 */
import { stemmer as arabic } from "@orama/stemmers/arabic"
import { stemmer as bulgarian } from "@orama/stemmers/bulgarian"
import { stemmer as danish } from "@orama/stemmers/danish"
import { stemmer as dutch } from "@orama/stemmers/dutch"
import { stemmer as english } from "@orama/stemmers/english"
import { stemmer as finnish } from "@orama/stemmers/finnish"
import { stemmer as french } from "@orama/stemmers/french"
import { stemmer as german } from "@orama/stemmers/german"
import { stemmer as greek } from "@orama/stemmers/greek"
import { stemmer as hungarian } from "@orama/stemmers/hungarian"
import { stemmer as hindi } from "@orama/stemmers/indian"
import { stemmer as indonesian } from "@orama/stemmers/indonesian"
import { stemmer as italian } from "@orama/stemmers/italian"
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian"
import { stemmer as norwegian } from "@orama/stemmers/norwegian"
import { stemmer as portuguese } from "@orama/stemmers/portuguese"
import { stemmer as romanian } from "@orama/stemmers/romanian"
import { stemmer as russian } from "@orama/stemmers/russian"
import { stemmer as spanish } from "@orama/stemmers/spanish"
import { stemmer as swedish } from "@orama/stemmers/swedish"
import { stemmer as turkish } from "@orama/stemmers/turkish"
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian"
import type { Language } from "../schema/Language.ts"
import { isWord, maxWordLength } from "../storage/SearchIndex.ts"
import * as Words from "./Words.ts"

/** Returns the stem of a lowercase word with its diacritics. `stemOf` removes diacritics from stems. */
export type Stem = (lowercase: string) => string

const maxCachedWords = 50_000

const latin = /^[a-z]+$/
const digit = /[0-9]/

/** Replacements of British spellings by American ones. */
const spellings: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<=[a-z]{3})is(?=(?:e[ds]?|er|ers|ing|ations?|able)$)/, "iz"],
  [/(?<=[a-z]{3})ys(?=(?:e[ds]?|er|ers|ing)$)/, "yz"],
  [/(?<=[a-z]{3})our(?=(?:s|ed|ing|able|al|ite|ites|ful|less)?$)/, "or"],
  [/(?<=(?:cent|met|theat|fib|lit))re(?=s?$)/, "er"],
  [/(?<=[a-z]{3})ogue(?=s?$)/, "og"],
  [/(?<=lic|def|off)ence(?=s?$)/, "ense"]
]

const englishStem: Stem = (word) => english(spellings.reduce((text, [from, to]) => text.replace(from, to), word))

/** Returns a stemmer that uses English for words of plain Latin letters, and `stem` for other words. */
const latinAsEnglish =
  (stem: Stem): Stem =>
  (word) =>
    latin.test(word) ? englishStem(word) : stem(word)

const identity: Stem = (word) => word

const stems: Readonly<Record<Language, Stem>> = {
  en: englishStem,
  fr: french,
  de: german,
  es: spanish,
  it: italian,
  pt: portuguese,
  "pt-br": portuguese,
  ru: latinAsEnglish(russian),
  ja: latinAsEnglish(identity),
  zh: latinAsEnglish(identity),
  "zh-tw": latinAsEnglish(identity),
  yue: latinAsEnglish(identity),
  ko: latinAsEnglish(identity),
  ar: latinAsEnglish(arabic),
  hi: latinAsEnglish(hindi),
  nl: dutch,
  pl: identity,
  tr: turkish,
  sv: swedish,
  no: norwegian,
  da: danish,
  fi: finnish,
  el: latinAsEnglish(greek),
  cs: identity,
  hu: hungarian,
  ro: romanian,
  th: latinAsEnglish(identity),
  vi: identity,
  id: indonesian,
  ms: identity,
  he: latinAsEnglish(identity),
  uk: latinAsEnglish(ukrainian),
  sk: identity,
  bg: latinAsEnglish(bulgarian),
  hr: identity,
  lt: lithuanian,
  lv: identity,
  et: identity,
  sl: identity,
  fa: latinAsEnglish(identity),
  ur: latinAsEnglish(identity),
  ku: identity,
  ckb: latinAsEnglish(identity),
  ps: latinAsEnglish(identity),
  sd: latinAsEnglish(identity),
  ug: latinAsEnglish(identity),
  yi: latinAsEnglish(identity),
  dv: latinAsEnglish(identity),
  af: identity,
  am: latinAsEnglish(identity),
  az: identity,
  be: latinAsEnglish(identity),
  bn: latinAsEnglish(identity),
  bs: identity,
  ca: identity,
  cy: identity,
  eo: identity,
  eu: identity,
  fil: identity,
  ga: identity,
  gl: identity,
  gu: latinAsEnglish(identity),
  hy: latinAsEnglish(identity),
  is: identity,
  jv: identity,
  ka: latinAsEnglish(identity),
  kk: latinAsEnglish(identity),
  km: latinAsEnglish(identity),
  kn: latinAsEnglish(identity),
  ky: latinAsEnglish(identity),
  la: identity,
  lb: identity,
  lo: latinAsEnglish(identity),
  mk: latinAsEnglish(identity),
  ml: latinAsEnglish(identity),
  mn: latinAsEnglish(identity),
  mr: latinAsEnglish(identity),
  mt: identity,
  my: latinAsEnglish(identity),
  ne: latinAsEnglish(identity),
  or: latinAsEnglish(identity),
  pa: latinAsEnglish(identity),
  "pt-pt": portuguese,
  si: latinAsEnglish(identity),
  so: identity,
  sq: identity,
  sr: latinAsEnglish(identity),
  sw: identity,
  ta: latinAsEnglish(identity),
  te: latinAsEnglish(identity),
  tg: latinAsEnglish(identity),
  tk: identity,
  tl: identity,
  tt: latinAsEnglish(identity),
  uz: identity,
  xh: identity,
  yo: identity,
  zu: identity
}

const cachedStems = new Map<Stem, Map<string, string>>()

/** Returns the stemmer of a language. For a word without a stem, such as a number, returns the folded word. */
export const stemOf = (language: Language | undefined): Stem => {
  const stem = language === undefined ? englishStem : stems[language]
  const cache = cachedStems.get(stem) ?? new Map<string, string>()
  cachedStems.set(stem, cache)
  return (lowercase) => {
    if (lowercase.length > maxWordLength || digit.test(lowercase)) return Words.toIndexForm(lowercase)
    const cached = cache.get(lowercase)
    if (cached !== undefined) return cached
    const folded = Words.foldText(stem(lowercase))
    const result = isWord(folded) ? folded : Words.toIndexForm(lowercase)
    if (cache.size >= maxCachedWords) cache.clear()
    cache.set(lowercase, result)
    return result
  }
}
