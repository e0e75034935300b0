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
export type Stem = (small: string) => string

const keptWords = 50_000

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

const inEnglish: Stem = (word) => english(spellings.reduce((text, [from, to]) => text.replace(from, to), word))

/** Returns a stemmer that uses English for words of plain Latin letters, and `stem` for other words. */
const beside =
  (stem: Stem): Stem =>
  (word) =>
    latin.test(word) ? inEnglish(word) : stem(word)

const asItIs: Stem = (word) => word

const stems: Readonly<Record<Language, Stem>> = {
  en: inEnglish,
  fr: french,
  de: german,
  es: spanish,
  it: italian,
  pt: portuguese,
  "pt-br": portuguese,
  ru: beside(russian),
  ja: beside(asItIs),
  zh: beside(asItIs),
  "zh-tw": beside(asItIs),
  yue: beside(asItIs),
  ko: beside(asItIs),
  ar: beside(arabic),
  hi: beside(hindi),
  nl: dutch,
  pl: asItIs,
  tr: turkish,
  sv: swedish,
  no: norwegian,
  da: danish,
  fi: finnish,
  el: beside(greek),
  cs: asItIs,
  hu: hungarian,
  ro: romanian,
  th: beside(asItIs),
  vi: asItIs,
  id: indonesian,
  ms: asItIs,
  he: beside(asItIs),
  uk: beside(ukrainian),
  sk: asItIs,
  bg: beside(bulgarian),
  hr: asItIs,
  lt: lithuanian,
  lv: asItIs,
  et: asItIs,
  sl: asItIs,
  fa: beside(asItIs),
  ur: beside(asItIs),
  ku: asItIs,
  ckb: beside(asItIs),
  ps: beside(asItIs),
  sd: beside(asItIs),
  ug: beside(asItIs),
  yi: beside(asItIs),
  dv: beside(asItIs),
  af: asItIs,
  am: beside(asItIs),
  az: asItIs,
  be: beside(asItIs),
  bn: beside(asItIs),
  bs: asItIs,
  ca: asItIs,
  cy: asItIs,
  eo: asItIs,
  eu: asItIs,
  fil: asItIs,
  ga: asItIs,
  gl: asItIs,
  gu: beside(asItIs),
  hy: beside(asItIs),
  is: asItIs,
  jv: asItIs,
  ka: beside(asItIs),
  kk: beside(asItIs),
  km: beside(asItIs),
  kn: beside(asItIs),
  ky: beside(asItIs),
  la: asItIs,
  lb: asItIs,
  lo: beside(asItIs),
  mk: beside(asItIs),
  ml: beside(asItIs),
  mn: beside(asItIs),
  mr: beside(asItIs),
  mt: asItIs,
  my: beside(asItIs),
  ne: beside(asItIs),
  or: beside(asItIs),
  pa: beside(asItIs),
  "pt-pt": portuguese,
  si: beside(asItIs),
  so: asItIs,
  sq: asItIs,
  sr: beside(asItIs),
  sw: asItIs,
  ta: beside(asItIs),
  te: beside(asItIs),
  tg: beside(asItIs),
  tk: asItIs,
  tl: asItIs,
  tt: beside(asItIs),
  uz: asItIs,
  xh: asItIs,
  yo: asItIs,
  zu: asItIs
}

const kept = new Map<Stem, Map<string, string>>()

/** Returns the stemmer of a language. The stem of a word without stem, such as a number, is the folded word. */
export const stemOf = (language: Language | undefined): Stem => {
  const stem = language === undefined ? inEnglish : stems[language]
  const known = kept.get(stem) ?? new Map<string, string>()
  kept.set(stem, known)
  return (small) => {
    if (small.length > maxWordLength || digit.test(small)) return Words.kept(small)
    const before = known.get(small)
    if (before !== undefined) return before
    const found = Words.fold(stem(small))
    const answer = isWord(found) ? found : Words.kept(small)
    if (known.size >= keptWords) known.clear()
    known.set(small, answer)
    return answer
  }
}
