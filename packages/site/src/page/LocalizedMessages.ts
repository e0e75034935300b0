/**
 * Messages of the interface around the content. The language is the one in the site's settings. If it is English, which
 * is the default, the language of the content is used instead. Languages without messages fall back to English, but
 * pages keep the language tag and the direction of their own language.
 */
import {
  type InterfaceLanguage,
  isInterfaceLanguage,
  languageInfo,
  type LanguageInfo,
  type Localized
} from "@lectern/core/schema/InterfaceLanguage"
import { fillPlaceholder, searchMessages } from "./messages/Placeholders.ts"
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

/** Messages of each language, with placeholders. */
const messages: Localized<Messages> = { ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh }

/** Messages of a language. Messages with a placeholder are functions of its value. */
export interface LocalizedMessages extends ReturnType<typeof withFunctions>, LanguageInfo {
  readonly date: (isoDate: string) => string
  readonly bytes: (count: number) => string
}

/** Languages with messages. */
export const languages = Object.keys(messages)

const cache = new Map<InterfaceLanguage, LocalizedMessages>()

/** Returns messages for a language. `content`: language of the content, if known. */
export const messagesFor = (locale: string, content?: string): LocalizedMessages => {
  const language = locale === "en" && content !== undefined ? content : locale
  if (isInterfaceLanguage(language)) return cachedMessages(language)
  const info = languageInfo(language)
  return info.direction === "rtl" ? { ...cachedMessages("en"), ...info } : cachedMessages("en")
}

/** Returns the messages of search results with their placeholders, in the language of `messagesFor`. */
export const searchTexts = (locale: string, content?: string): Pick<Messages, "results" | "noResults"> => {
  const language = locale === "en" && content !== undefined ? content : locale
  const { results, noResults } = messages[isInterfaceLanguage(language) ? language : "en"]
  return { results, noResults }
}

const cachedMessages = (language: InterfaceLanguage): LocalizedMessages => {
  const localizedMessages = cache.get(language) ?? createMessages(language)
  cache.set(language, localizedMessages)
  return localizedMessages
}

const createMessages = (supportedLanguage: InterfaceLanguage): LocalizedMessages => {
  const info = languageInfo(supportedLanguage)
  const { language } = info
  const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" })
  const unitFormat = (unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 })
  const [kilobytes, megabytes] = [unitFormat("kilobyte"), unitFormat("megabyte")]
  return {
    ...withFunctions(messages[supportedLanguage], language),
    ...info,
    date: (isoDate) => dateFormat.format(new Date(isoDate)),
    bytes: (count) => (count < 1_000_000 ? kilobytes.format(count / 1_000) : megabytes.format(count / 1_000_000))
  }
}

const withFunctions = (all: Messages, language: string) => {
  const { actions, backToText, loadFrom, madeWith, paper, preview, searchIn, updated } = all
  return {
    ...all,
    backToText: fillPlaceholder<string>(backToText),
    loadFrom: fillPlaceholder<string>(loadFrom),
    updated: fillPlaceholder<string>(updated),
    madeWith: fillPlaceholder<string>(madeWith),
    searchIn: fillPlaceholder<string>(searchIn),
    ...searchMessages(all, language),
    actions: {
      ...actions,
      openIn: fillPlaceholder<string>(actions.openIn),
      question: fillPlaceholder<string>(actions.question),
      edit: fillPlaceholder<string>(actions.edit)
    },
    paper: {
      ...paper,
      picture: fillPlaceholder<string>(paper.picture),
      unshown: fillPlaceholder<string>(paper.unshown),
      condition: fillPlaceholder<string>(paper.condition)
    },
    preview: { ...preview, changeRequest: fillPlaceholder<number>(preview.changeRequest) }
  }
}
