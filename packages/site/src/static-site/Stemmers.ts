/**
 * Stemmers that a browser loads for a language, in addition to the one for English, which is in the program of the
 * search. The core has the table of all languages (`search/WordForms`); a test compares both.
 */
import type { Language } from "@lectern/core/schema/Language"
import type { stemmers } from "./SearchScripts.ts"

export type StemmerName = keyof typeof stemmers

const byLanguage: Partial<Readonly<Record<Language, StemmerName>>> = {
  ar: "arabic",
  bg: "bulgarian",
  da: "danish",
  de: "german",
  el: "greek",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  hi: "indian",
  hu: "hungarian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  "pt-br": "portuguese",
  "pt-pt": "portuguese",
  ro: "romanian",
  ru: "russian",
  sv: "swedish",
  tr: "turkish",
  uk: "ukrainian"
}

/** Returns the name of the stemmer. Undefined for English, and for languages without a stemmer. */
export const stemmerOf = (language: Language | undefined): StemmerName | undefined =>
  language === undefined ? undefined : byLanguage[language]
