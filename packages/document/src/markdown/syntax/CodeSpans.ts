/** Finds inline code: text between two runs of equally many backticks. */

const backtick = 96

export class CodeSpans {
  readonly #text: string
  /** Offset of the last run of each length. */
  #lastRunByLength: Map<number, number> | undefined

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Returns the length of the run of backticks at `at`, and the end of the code that it opens. `end`: -1 if it opens no
   * code.
   */
  spanAt(at: number): { readonly length: number; readonly end: number } {
    const length = this.#lengthAt(at)
    this.#lastRunByLength ??= this.#lastRuns()
    if ((this.#lastRunByLength.get(length) ?? -1) <= at) return { length, end: -1 }
    for (let next = this.#text.indexOf("`", at + length); ; next = this.#text.indexOf("`", next)) {
      const runLength = this.#lengthAt(next)
      next += runLength
      if (runLength === length) return { length, end: next }
    }
  }

  #lengthAt(at: number): number {
    let end = at + 1
    while (this.#text.charCodeAt(end) === backtick) end++
    return end - at
  }

  #lastRuns(): Map<number, number> {
    const last = new Map<number, number>()
    for (let at = this.#text.indexOf("`"); at !== -1;) {
      const length = this.#lengthAt(at)
      last.set(length, at)
      at = this.#text.indexOf("`", at + length)
    }
    return last
  }

  /** Returns the content of inline code without the one space or line feed on both sides that separates backticks. */
  static contentOf(source: string): string {
    return isPadding(source.charCodeAt(0)) && isPadding(source.charCodeAt(source.length - 1)) && /[^ \n]/.test(source)
      ? source.slice(1, -1)
      : source
  }
}

const isPadding = (code: number): boolean => code === 32 || code === 10
