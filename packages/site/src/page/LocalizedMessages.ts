/**
 * Messages of the interface around the content. The language is the one in the site's settings. If it is English, which
 * is the default, the language of the content is used instead. Languages without messages fall back to English, but
 * pages keep the language tag and the direction of their own language.
 */
import {
  type InterfaceLanguage,
  isInterfaceLanguage,
  languageInfo,
  type Localized
} from "@lectern/core/schema/InterfaceLanguage"
import { completeMessages, type LocalizedMessages } from "./messages/CompleteMessages.ts"
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

export type { LocalizedMessages } from "./messages/CompleteMessages.ts"

/** Messages of each language, with placeholders. */
const messages: Localized<Messages> = { ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh }

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
  const localizedMessages = cache.get(language) ?? completeMessages(messages[language], languageInfo(language))
  cache.set(language, localizedMessages)
  return localizedMessages
}
