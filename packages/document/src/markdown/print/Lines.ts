/** Lines as they are written: within quotes and lists each begins with what marks that it belongs to them. */
export class Lines {
  #written = ""
  /** Beginning of each line. */
  #margin = ""
  /** Beginning of the current line that is still to be written, unless the line stays blank. */
  #pending = ""

  /** Text, which may have several lines. */
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

  /** Ends the line, and leaves blank lines behind it. */
  end(blankLines: number): void {
    for (let i = 0; i <= blankLines; i++) this.#end("\n")
  }

  /** Begins the first line that `content` writes with `first`, its other lines with `others`. */
  within(first: string, others: string, content: () => void): void {
    const margin = this.#margin
    this.#pending += first
    this.#margin += others
    content()
    this.#margin = margin
  }

  /** How much is written, the marks of the current line too: it grows with all but empty text. */
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
