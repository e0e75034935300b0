/** Builds text line by line. Lines in blockquotes and lists start with the markers or indentation of these. */
export class LineWriter {
  #output = ""
  /** Prefix of each line. */
  #linePrefix = ""
  /** Prefix of the current line that is not written yet. Trailing spaces are dropped if the line stays blank. */
  #pendingPrefix = ""

  /** Writes text of one or more lines. */
  write(text: string): void {
    if (text === "") return
    if (this.#linePrefix === "" && this.#pendingPrefix === "") {
      this.#output += text
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
  endLine(blankLines: number): void {
    for (let i = 0; i <= blankLines; i++) this.#end("\n")
  }

  /** Prefixes the first line that `content` writes with `first`, and its other lines with `others`. */
  withPrefix(first: string, others: string, content: () => void): void {
    const margin = this.#linePrefix
    this.#pendingPrefix += first
    this.#linePrefix += others
    content()
    this.#linePrefix = margin
  }

  /**
   * Number of characters, including the pending prefix of the current line. Increases with each text that is not empty.
   */
  get length(): number {
    return this.#output.length + this.#pendingPrefix.length
  }

  toString(): string {
    return this.#output + this.#pendingPrefix.trimEnd()
  }

  #line(text: string): void {
    if (text === "") return
    this.#output += this.#pendingPrefix + text
    this.#pendingPrefix = ""
  }

  #end(end: string): void {
    this.#output += this.#pendingPrefix.trimEnd() + end
    this.#pendingPrefix = this.#linePrefix
  }
}
