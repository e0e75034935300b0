/**
 * Messages of the interface around the content. The language is the one in the site's settings. If it is English, which
 * is the default, the language of the content is used instead. Languages without messages fall back to English, but
 * pages keep the language tag and the direction of their own language.
 */
import type { Messages } from "./messages/Messages.ts"
import ar from "./messages/ar.json" with { type: "json" }
import de from "./messages/de.json" with { type: "json" }
import en from "./messages/en.json" with { type: "json" }
import es from "./messages/es.json" with { type: "json" }
import fr from "./messages/fr.json" with { type: "json" }
import ja from "./messages/ja.json" with { type: "json" }
import nl from "./messages/nl.json" with { type: "json" }
import no from "./messages/no.json" with { type: "json" }
import ptBr from "./messages/pt-br.json" with { type: "json" }
import ru from "./messages/ru.json" with { type: "json" }
import zh from "./messages/zh.json" with { type: "json" }

type Language = "ar" | "de" | "en" | "es" | "fr" | "ja" | "nl" | "no" | "pt-br" | "ru" | "zh"

const messages: Readonly<Record<Language, Messages>> = { ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh }

/** Messages of a language. Messages with a placeholder are functions of its value. */
export interface Words extends ReturnType<typeof withValues> {
  /** BCP 47 tag. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
  readonly date: (isoDate: string) => string
  readonly bytes: (count: number) => string
}

/** Languages with messages. */
export const languages = Object.keys(messages)

const isKnown = (language: string): language is Language => Object.hasOwn(messages, language)

/** BCP 47 tags of languages whose key differs from the tag. */
const tags: Readonly<Record<string, string>> = { no: "nb", "pt-br": "pt-BR", "zh-tw": "zh-Hant" }

const rightToLeft = /^(?:ar|ckb|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/

const made = new Map<string, Words>()

/** Returns messages for a language. `content`: language of the content, if known. */
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

/** Returns the first language of an `Accept-Language` header if it has messages, otherwise `en`. */
export const askedIn = (acceptLanguage = ""): string => {
  const [first = ""] = acceptLanguage.toLowerCase().split(/[,;]/)
  const tag = first.trim()
  const [main = ""] = tag.split("-")
  return isKnown(tag) ? tag : isKnown(main) ? main : "en"
}

/** Returns the BCP 47 tag and the direction of a page's language. */
export const tongueOf = (language: string): Pick<Words, "language" | "direction"> => ({
  language: tags[language] ?? language,
  direction: rightToLeft.test(language) ? "rtl" : "ltr"
})

const wordsOf = (known: Language): Words => {
  const tongue = tongueOf(known)
  const { language } = tongue
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" })
  const numbers = (unit: string) => new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 })
  const [kilobytes, megabytes] = [numbers("kilobyte"), numbers("megabyte")]
  return {
    ...withValues(messages[known], language),
    ...tongue,
    date: (isoDate) => dates.format(new Date(isoDate)),
    bytes: (count) => (count < 1_000_000 ? kilobytes.format(count / 1_000) : megabytes.format(count / 1_000_000))
  }
}

/** Returns a function that inserts a value for the placeholder of a message. */
const filled =
  <A extends string | number>(message: string) =>
  (value: A): string =>
    message.replace(/\{\w+\}/, () => String(value))

const withValues = (all: Messages, language: string) => {
  const { actions, backToText, loadFrom, madeWith, noResults, paper, preview, results, searchIn, updated } = all
  const plural = new Intl.PluralRules(language)
  return {
    ...all,
    backToText: filled<string>(backToText),
    loadFrom: filled<string>(loadFrom),
    updated: filled<string>(updated),
    madeWith: filled<string>(madeWith),
    searchIn: filled<string>(searchIn),
    results: (count: number) => filled<number>(results[plural.select(count)] ?? results.other)(count),
    noResults: filled<string>(noResults),
    actions: {
      ...actions,
      openIn: filled<string>(actions.openIn),
      question: filled<string>(actions.question),
      edit: filled<string>(actions.edit)
    },
    paper: {
      ...paper,
      picture: filled<string>(paper.picture),
      unshown: filled<string>(paper.unshown),
      condition: filled<string>(paper.condition)
    },
    preview: { ...preview, changeRequest: filled<number>(preview.changeRequest) }
  }
}
