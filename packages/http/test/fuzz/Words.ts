/** Unique words, so that lost text can be detected. */

export class Words {
  readonly #side: string
  #count = 0

  constructor(side: string) {
    this.#side = side
  }

  readonly next = (): string => `w${this.#side}${this.#count++}w`

  readonly text = (count: number): string => Array.from({ length: count }, this.next).join(" ")

  /** Returns the template with a new word for each `%`, and the last word repeated for `@`. */
  readonly fill = (template: string): string => {
    let last = ""
    return template.replaceAll(/[%@]/g, (place) => (place === "%" ? (last = this.next()) : last))
  }

  /** Returns the text with one word in ten replaced, but at least one. */
  readonly rewrite = (text: string): string => {
    let n = 0
    return text.replaceAll(/\bw[a-z]\d+w\b/g, (word) => (n++ % 10 === 0 ? this.next() : word))
  }
}

/** Returns all words in JSON, except those in slugs and paths, which derive from titles. */
export const wordsIn = (value: unknown): ReadonlySet<string> => {
  const text = JSON.stringify(value ?? null, (name, inner: unknown) =>
    name === "slug" || name === "path" || name === "urls" ? undefined : inner
  )
  return new Set(text.match(/\bw[a-z]\d+w\b/g))
}
