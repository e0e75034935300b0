/**
 * Obsidian: callouts, which are blockquotes that start with `[!note]`, as alerts on GitHub, with more names. Links and
 * embeds in double brackets.
 */
import type { Dialect } from "./Dialect.ts"
import { stylesByName } from "./HintStyles.ts"

export const obsidian: Dialect = {
  names: ["obsidian"],
  hasWikilinks: true,
  quoteStyles: stylesByName({
    info: "note info important abstract summary tldr todo question help faq example quote cite",
    success: "tip success hint check done",
    warning: "warning attention",
    danger: "danger error failure fail missing bug"
  })
}
