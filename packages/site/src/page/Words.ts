/**
 * Messages of the interface around the content. The language is the one in the site's settings. If it is English, which
 * is the default, the language of the content is used instead. Languages without messages fall back to English, but
 * pages keep the language tag and the direction of their own language.
 */
import type { Texts } from "./words/Texts.ts"
import { ar } from "./words/ar.ts"
import { de } from "./words/de.ts"
import { en } from "./words/en.ts"
import { es } from "./words/es.ts"
import { fr } from "./words/fr.ts"
import { ja } from "./words/ja.ts"
import { nl } from "./words/nl.ts"
import { no } from "./words/no.ts"
import { ptBr } from "./words/pt-br.ts"
import { ru } from "./words/ru.ts"
import { zh } from "./words/zh.ts"

export interface Words extends Texts {
  /** BCP 47. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
  readonly date: (isoDate: string) => string
  readonly bytes: (count: number) => string
}

const texts = { ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh } satisfies Readonly<Record<string, Texts>>

export type Language = keyof typeof texts

/** Languages that there are words for. */
export const languages = Object.keys(texts)

const isKnown = (language: string): language is Language => Object.hasOwn(texts, language)

/** Languages whose names for dates and numbers have another tag. */
const tags: Readonly<Record<string, string>> = { no: "nb", "pt-br": "pt-BR", "zh-tw": "zh-Hant" }

/** Finds words of another part by the tag of a language (`Words.language`); in English where there are none. */
export const among = <A>(each: Readonly<Record<Language, A>>): ((tag: string) => A) => {
  const byTag = new Map(Object.entries(each).map(([name, words]) => [(tags[name] ?? name).toLowerCase(), words]))
  return (tag) => byTag.get(tag.toLowerCase()) ?? each.en
}

const rightToLeft = /^(?:ar|ckb|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/

const made = new Map<string, Words>()

/** `content`: the language of what is read, where it names one. */
export const of = (locale: string, content?: string): Words => {
  const language = locale === "en" && content !== undefined ? content : locale
  if (isKnown(language)) return ofKnown(language)
  return rightToLeft.test(language) ? { ...ofKnown("en"), ...tongueOf(language) } : ofKnown("en")
}

const ofKnown = (language: Language): Words => {
  const words = made.get(language) ?? wordsOf(language)
  made.set(language, words)
  return words
}

/** The language that a browser asks for first, as far as its words are here. */
export const askedIn = (acceptLanguage = ""): string => {
  const [first = ""] = acceptLanguage.toLowerCase().split(/[,;]/)
  const tag = first.trim()
  const [main = ""] = tag.split("-")
  return isKnown(tag) ? tag : isKnown(main) ? main : "en"
}

/** Tag and direction of the language that a page is written in. */
export const tongueOf = (language: string): Pick<Words, "language" | "direction"> => ({
  language: tags[language] ?? language,
  direction: rightToLeft.test(language) ? "rtl" : "ltr"
})

const wordsOf = (known: keyof typeof texts): Words => {
  const tongue = tongueOf(known)
  const { language } = tongue
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" })
  const numbers = (unit: string) => new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 })
  const [kilobytes, megabytes] = [numbers("kilobyte"), numbers("megabyte")]
  return {
    ...texts[known],
    ...tongue,
    date: (isoDate) => dates.format(new Date(isoDate)),
    bytes: (count) => (count < 1_000_000 ? kilobytes.format(count / 1_000) : megabytes.format(count / 1_000_000))
  }
}
