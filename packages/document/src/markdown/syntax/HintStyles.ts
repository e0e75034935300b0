/**
 * Hint styles by the names of other programs, in lower case. A name is valid only in the syntax of a program that has
 * it: `:::check` is text, and `!!! check` is a hint.
 */
const stylesByName = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([style, all]) => all.split(" ").map((name) => [name, style] as const)))

const commonStyles = stylesByName({
  info: "note info important",
  success: "tip success",
  warning: "warning caution",
  danger: "danger"
})

const mkDocsStyles = stylesByName({
  success: "hint check done",
  warning: "attention",
  danger: "error failure bug"
})

/** Names of GitHub and Obsidian. In these programs `caution` is more severe than in others. */
const quoteStyles = stylesByName({
  info: "abstract summary tldr todo question help faq example quote cite",
  danger: "caution fail missing"
})

/** Names after `:::`, and of classes in attribute lists. */
export const commonNames: ReadonlyArray<string> = [...commonStyles.keys()]

export const commonStyle = (name: string): string | undefined => commonStyles.get(name)

/** Returns the style of a name after `!!!`. */
export const mkDocsStyle = (name: string): string | undefined => commonStyles.get(name) ?? mkDocsStyles.get(name)

/** Returns the style of a name in a blockquote: `[!name]`. */
export const quoteStyle = (name: string): string | undefined => quoteStyles.get(name) ?? mkDocsStyle(name)
