/**
 * Hint styles by the names of other programs, in lower case. A name is valid only in the syntax of a program that has
 * it: `:::check` is text, and `!!! check` is a hint.
 */
const byName = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([style, all]) => all.split(" ").map((name) => [name, style] as const)))

const common = byName({
  info: "note info important",
  success: "tip success",
  warning: "warning caution",
  danger: "danger"
})

const ofMkDocsToo = byName({
  success: "hint check done",
  warning: "attention",
  danger: "error failure bug"
})

/** Names of GitHub and Obsidian. In these programs `caution` is more severe than in others. */
const ofQuotesAlone = byName({
  info: "abstract summary tldr todo question help faq example quote cite",
  danger: "caution fail missing"
})

/** Names after `:::`, and of classes in attribute lists. */
export const commonNames: ReadonlyArray<string> = [...common.keys()]

export const ofCommon = (name: string): string | undefined => common.get(name)

/** Returns the style of a name after `!!!`. */
export const ofMkDocs = (name: string): string | undefined => common.get(name) ?? ofMkDocsToo.get(name)

/** Returns the style of a name in a blockquote: `[!name]`. */
export const ofQuote = (name: string): string | undefined => ofQuotesAlone.get(name) ?? ofMkDocs(name)
