/**
 * Texts of the console in the language of the reader. English is always loaded, since it is the default; another
 * language is loaded before the first screen.
 *
 * The language is the one that the reader chose in this browser, or else the first one of the browser that the console
 * has. A text with `{name}` gets a value. A text that depends on a number has a form for each plural category.
 */
import en from "./en.json" with { type: "json" }

export type Messages = typeof en
export type Language = "en" | "de" | "ar"

/** Languages with their own names, in the order of the menu. */
export const languages: { readonly [language in Language]: string } = { en: "English", de: "Deutsch", ar: "العربية" }

const storageKey = "lectern-language"

export type Values = { readonly [name: string]: string | number }

type TextKey = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages]
type Role = "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest"
type PluralKey = Exclude<keyof Messages, TextKey>

let messages: Messages = en
let current: Language = "en"
let plurals = new Intl.PluralRules("en")

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

const chosenLanguage = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (stored !== null && isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.split("-")[0]!.toLowerCase()).find(isLanguage) ?? "en"
}

const load = async (language: Language): Promise<Messages> => {
  if (language === "de") return (await import("./de.json", { with: { type: "json" } })).default
  if (language === "ar") return (await import("./ar.json", { with: { type: "json" } })).default
  return en
}

/** Loads the texts of the reader's language, and sets the language and the direction of the page. */
export const loadLanguage = async (): Promise<void> => {
  current = chosenLanguage()
  messages = await load(current)
  plurals = new Intl.PluralRules(current)
  document.documentElement.lang = current
  document.documentElement.dir = current === "ar" ? "rtl" : "ltr"
}

export const currentLanguage = (): Language => current

/** BCP 47 tag for controls and dates. Its numerals are those of the texts. */
export const locale = (): string => ({ en: "en-US", de: "de-DE", ar: "ar-AE-u-nu-latn" })[current]

/** Stores the choice, and loads the page again. */
export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(storageKey, language)
  location.reload()
}

/** Replaces `{name}` in a text by a value. */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))

export const text = (key: TextKey, values: Values = {}): string => fill(messages[key], values)

/** Returns the name of a role. */
export const roleName = (role: Role): string => text(`role.${role}`)

/** Returns the name of a type of blocks. A type that the console does not know has its own name. */
export const blockName = (type: string): string => {
  const name: unknown = Object.hasOwn(messages, `block.${type}`) && messages[`block.${type}` as TextKey]
  return typeof name === "string" ? name : type
}

/** Returns the form of a text for a number, which replaces `{count}`. */
export const countedText = (key: PluralKey, count: number, values: Values = {}): string => {
  const forms: { readonly [category: string]: string } = messages[key]
  return fill(forms[plurals.select(count)] ?? forms["other"]!, { count, ...values })
}

let timeFormat: Intl.RelativeTimeFormat | undefined

/** Returns the time since a date in words, such as "2 hours ago". */
export const timeAgo = (iso: string): string => {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  const format = (timeFormat ??= new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }))
  const units = [
    ["year", 31_536_000],
    ["month", 2_592_000],
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60]
  ] as const
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit)
  return format.format(0, "second")
}
