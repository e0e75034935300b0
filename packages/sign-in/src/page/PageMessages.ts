/** Texts of the pages in the language of a reader, with its tag and direction. English if the language has no texts. */
import {
  acceptedLanguage,
  languageInfo,
  type InterfaceLanguage,
  type Localized
} from "@lectern/core/schema/InterfaceLanguage"
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

const messages: Localized<Messages> = { ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh }

/** Returns the texts of a language. */
export const messagesIn = (language: InterfaceLanguage): Messages => messages[language]

export interface PageMessages extends Messages {
  /** BCP 47 tag. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
  /** Returns a time in words, in UTC. */
  readonly time: (isoTime: string) => string
}

/** Returns the texts for an `Accept-Language` header. */
export const pageMessages = (acceptLanguage: string | undefined): PageMessages => {
  const language = acceptedLanguage(acceptLanguage)
  const info = languageInfo(language)
  const format = new Intl.DateTimeFormat(info.language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
  return { ...messages[language], ...info, time: (isoTime) => `${format.format(new Date(isoTime))} UTC` }
}

/** Replaces the placeholder of a text. */
export const fill = (text: string, value: string | number): string => text.replace(/\{\w+\}/, () => String(value))
