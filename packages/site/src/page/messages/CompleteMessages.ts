/**
 * Messages of one language with functions in place of placeholders, and its formats. In a module of its own, so that
 * browsers load it with one language.
 */
import type { LanguageInfo } from "@lectern/core/schema/InterfaceLanguage"
import type { Messages } from "./Messages.ts"
import { fillPlaceholder, searchMessages } from "./Placeholders.ts"

/** Messages of a language. Messages with a placeholder are functions of its value. */
export interface LocalizedMessages extends ReturnType<typeof withFunctions>, LanguageInfo {
  readonly date: (isoDate: string) => string
  readonly bytes: (count: number) => string
}

/** Returns the messages of a language from its texts. */
export const completeMessages = (texts: Messages, info: LanguageInfo): LocalizedMessages => {
  const { language } = info
  const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" })
  const unitFormat = (unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 })
  const [kilobytes, megabytes] = [unitFormat("kilobyte"), unitFormat("megabyte")]
  return {
    ...withFunctions(texts, language),
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
