/** Words that occur once in all that is ever written, so that what was lost can be told. */

export class Words {
  readonly #side: string
  #count = 0

  constructor(side: string) {
    this.#side = side
  }

  readonly next = (): string => `w${this.#side}${this.#count++}w`

  readonly text = (count: number): string => Array.from({ length: count }, this.next).join(" ")

  /** The template with a new word in place of each `%`, and the last one once more in place of `@`. */
  readonly fill = (template: string): string => {
    let last = ""
    return template.replaceAll(/[%@]/g, (place) => (place === "%" ? (last = this.next()) : last))
  }

  /** The text with one word in ten written anew, or at least one. */
  readonly rewrite = (text: string): string => {
    let n = 0
    return text.replaceAll(/\bw[a-z]\d+w\b/g, (word) => (n++ % 10 === 0 ? this.next() : word))
  }
}

/** The words in whatever is JSON, but for those in slugs and paths, which are made of titles. */
export const wordsIn = (value: unknown): ReadonlySet<string> => {
  const text = JSON.stringify(value ?? null, (name, inner: unknown) =>
    name === "slug" || name === "path" || name === "urls" ? undefined : inner
  )
  return new Set(text.match(/\bw[a-z]\d+w\b/g))
}
