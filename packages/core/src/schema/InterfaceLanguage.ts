/**
 * Languages of the interface: of sites around their pages, of the pages for signing in, and of mails. Texts of a language
 * are JSON files of equal shape, one for each language. A name in braces is a placeholder, such as `{name}`.
 */
import { Schema } from "effect"

export const InterfaceLanguage = Schema.Literals(["ar", "de", "en", "es", "fr", "ja", "nl", "no", "pt-br", "ru", "zh"])
export type InterfaceLanguage = typeof InterfaceLanguage.Type

/** Texts of all languages. */
export type Localized<Texts> = Readonly<Record<InterfaceLanguage, Texts>>

/** Forms of a text by the category of its number in `Intl.PluralRules`. Missing forms fall back to `other`. */
export type Plural = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export interface LanguageInfo {
  /** BCP 47 tag. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
}

/** True if the interface has texts in a language. */
export const isInterfaceLanguage = Schema.is(InterfaceLanguage)

/** BCP 47 tags of languages whose key differs from the tag. */
const tags: Readonly<Record<string, string>> = { no: "nb", "pt-br": "pt-BR", "zh-tw": "zh-Hant" }

const rightToLeftPattern = /^(?:ar|ckb|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/

/** Returns the BCP 47 tag and the direction of a language. */
export const languageInfo = (language: string): LanguageInfo => ({
  language: tags[language] ?? language,
  direction: rightToLeftPattern.test(language) ? "rtl" : "ltr"
})

/** Returns the first language of an `Accept-Language` header if the interface has it, otherwise `en`. */
export const acceptedLanguage = (acceptLanguage = ""): InterfaceLanguage => {
  const [firstRange = ""] = acceptLanguage.toLowerCase().split(/[,;]/)
  const tag = firstRange.trim()
  const [primarySubtag = ""] = tag.split("-")
  return [tag, primarySubtag].find(isInterfaceLanguage) ?? "en"
}

/** Returns the form of a text for a number, with the number in place of its placeholder. */
export const pluralText = (forms: Plural, language: InterfaceLanguage, count: number): string => {
  const tag = languageInfo(language).language
  const form = forms[new Intl.PluralRules(tag).select(count)] ?? forms.other
  return form.replace(/\{\w+\}/, () => new Intl.NumberFormat(tag).format(count))
}
