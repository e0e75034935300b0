/**
 * Texts of the screens that write: settings of a page, raw Markdown. They are a file of their own, since the first screen
 * does not need them. This module is complete only when the texts of the reader's language are loaded.
 */
import { currentLanguage, fill, type Values } from "./Language.ts"
import en from "./writing.en.json" with { type: "json" }

type Messages = typeof en

const load = async (): Promise<Messages> => {
  const language = currentLanguage()
  if (language === "de") return (await import("./writing.de.json", { with: { type: "json" } })).default
  if (language === "ar") return (await import("./writing.ar.json", { with: { type: "json" } })).default
  return en
}

const messages = await load()

export const writingText = (key: keyof Messages, values: Values = {}): string => fill(messages[key], values)
