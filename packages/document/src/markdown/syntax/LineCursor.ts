/**
 * Moves through a text line by line, and within a line from the outermost container to its content. A tab extends to
 * the next column that is a multiple of four. If a container consumes part of a tab, the rest is white space of the
 * container's content.
 */
export class LineCursor {
  readonly text: string
  /** Line number, from 0. -1 before the first line. */
  number = -1
  start = 0
  /** Offset of the line feed at the end of the line, or of the end of the text. */
  end: number
  /** Offset of the unread part of the line. */
  offset = 0
  column = 0
  /** Offset of the first character at or after `offset` that is not white space. */
  next = 0
  /** Number of columns of white space before `next`. */
  indent = 0
  /** Remaining columns of the tab at `offset`, if a container has consumed part of the tab. */
  #tabColumns = 0

  /** Creates a cursor before the line that starts at `from`. */
  constructor(text: string, from: number) {
    this.text = text
    this.end = from - 1
  }

  get isBlank(): boolean {
    return this.next === this.end
  }

  /** Code of the character at `next`; NaN at the end of the line. */
  get nextCode(): number {
    return this.next < this.end ? this.text.charCodeAt(this.next) : Number.NaN
  }

  /**
   * Moves to the next line. Returns false at the end of the text. A line feed at the end of the text starts no line.
   */
  nextLine(): boolean {
    const start = this.end + 1
    if (start >= this.text.length) return false
    this.number++
    const end = this.text.indexOf("\n", start)
    this.start = start
    this.end = end === -1 ? this.text.length : end
    this.offset = start
    this.column = 0
    this.#tabColumns = 0
    this.findNext()
    return true
  }

  /** Moves to the position of another cursor of the same text. */
  moveTo(other: LineCursor): void {
    this.number = other.number
    this.start = other.start
    this.end = other.end
    this.offset = other.offset
    this.column = other.column
    this.next = other.next
    this.indent = other.indent
    this.#tabColumns = other.#tabColumns
  }

  findNext(): void {
    const { text, end } = this
    let { offset, column } = this
    for (; offset < end; offset++) {
      const code = text.charCodeAt(offset)
      if (code === 32) column++
      else if (code === 9) column += 4 - (column & 3)
      else break
    }
    this.next = offset
    this.indent = column - this.column
  }

  /** Skips white space and `length` further characters, which include no tabs. */
  skipTo(length: number): void {
    this.column += this.indent + length
    this.offset = this.next + length
    this.#tabColumns = 0
    this.findNext()
  }

  /** Skips columns of white space. The line must have at least this many. */
  skipColumns(columns: number): void {
    for (let left = columns; left > 0;) {
      if (this.text.charCodeAt(this.offset) !== 9) {
        this.offset++
        this.column++
        left--
        continue
      }
      const width = 4 - (this.column & 3)
      const consumed = Math.min(width, left)
      this.column += consumed
      left -= consumed
      this.#tabColumns = width - consumed
      if (this.#tabColumns === 0) this.offset++
    }
    this.indent -= columns
  }

  skipSpaces(): void {
    this.column += this.indent
    this.indent = 0
    this.offset = this.next
    this.#tabColumns = 0
  }

  /** Returns the unread part of the line. */
  rest(): string {
    return this.#tabColumns === 0
      ? this.text.slice(this.offset, this.end)
      : " ".repeat(this.#tabColumns) + this.text.slice(this.offset + 1, this.end)
  }

  /** Returns the unread part of the line without up to `columns` columns of white space. */
  restFrom(columns: number): string {
    this.skipColumns(Math.min(columns, this.indent))
    return this.rest()
  }
}
