/**
 * Styles of hints by the names that other programs have for them, in lower case. A name is one where a program has it:
 * `:::check` is text, and `!!! check` a hint.
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

/** GitHub and Obsidian see more in `caution` than the others do. */
const ofQuotesAlone = byName({
  info: "abstract summary tldr todo question help faq example quote cite",
  danger: "caution fail missing"
})

/** Names between colons, and as classes. */
export const commonNames: ReadonlyArray<string> = [...common.keys()]

export const ofCommon = (name: string): string | undefined => common.get(name)

/** Behind `!!!`. */
export const ofMkDocs = (name: string): string | undefined => common.get(name) ?? ofMkDocsToo.get(name)

/** In a quote, `[!name]`. */
export const ofQuote = (name: string): string | undefined => ofQuotesAlone.get(name) ?? ofMkDocs(name)
