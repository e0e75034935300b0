/**
 * Finds the parts of a text that are not translated: expressions, tags, URLs, addresses, formulas, emoji shortcodes.
 * They are not sent to engines.
 */

// Each alternative has a maximum length, so that matching takes linear time.
const untranslatable = new RegExp(
  [
    /\{\{[^{}]{0,500}\}\}/, // {{ expressions }}
    /\{%[^\n]{0,500}?%\}/, // {% tags %}
    /\$\{[^{}\n]{0,200}\}/, // ${VARIABLES}
    /\{\{|\}\}|\{%|%\}/, // halves of either
    /\$\$[^$]{1,500}\$\$/, // $$formulas$$
    /\$(?=[^$\s])(?=[^$\n]{0,200}[\\^_=])[^$\n]{1,400}(?<=\S)\$/, // $e = mc^2$
    /(?:https?|ftp):\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]}]/, // URLs
    /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b/, // addresses
    /:(?:[a-z][a-z0-9_+-]{0,60}|[+-]1|100):/ // :shortcodes:
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi"
)

export interface Part {
  readonly text: string
  readonly isUntranslatable: boolean
}

/** Splits a text into its parts, in order, without empty ones. */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(untranslatable)) {
    if (index > end) parts.push({ text: text.slice(end, index), isUntranslatable: false })
    parts.push({ text: match, isUntranslatable: true })
    end = index + match.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isUntranslatable: false })
  return parts
}

/** Returns true if a text contains letters. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text)

const markup = /\{\{|\}\}|\{%|%\}|\$\{|(?:https?|ftp):\/\//i

/** Returns true if a translation contains an expression, a tag or a URL. */
export const containsMarkup = (words: string): boolean => markup.test(words)
