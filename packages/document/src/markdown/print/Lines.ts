/** Builds text line by line. Lines in blockquotes and lists start with the markers or indentation of these. */
export class Lines {
  #written = ""
  /** Prefix of each line. */
  #margin = ""
  /** Prefix of the current line that is not written yet. Trailing spaces are dropped if the line stays blank. */
  #pending = ""

  /** Writes text of one or more lines. */
  write(text: string): void {
    if (text === "") return
    if (this.#margin === "" && this.#pending === "") {
      this.#written += text
      return
    }
    let start = 0
    for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
      this.#line(text.slice(start, index))
      this.#end(end)
      start = index + end.length
    }
    this.#line(text.slice(start))
  }

  /** Ends the line and adds blank lines. */
  end(blankLines: number): void {
    for (let i = 0; i <= blankLines; i++) this.#end("\n")
  }

  /** Prefixes the first line that `content` writes with `first`, and its other lines with `others`. */
  within(first: string, others: string, content: () => void): void {
    const margin = this.#margin
    this.#pending += first
    this.#margin += others
    content()
    this.#margin = margin
  }

  /**
   * Number of characters, including the pending prefix of the current line. Increases with each text that is not empty.
   */
  get length(): number {
    return this.#written.length + this.#pending.length
  }

  toString(): string {
    return this.#written + this.#pending.trimEnd()
  }

  #line(text: string): void {
    if (text === "") return
    this.#written += this.#pending + text
    this.#pending = ""
  }

  #end(end: string): void {
    this.#written += this.#pending.trimEnd() + end
    this.#pending = this.#margin
  }
}
