/**
 * Goes through a text line by line, and within a line from the outermost container to its content.
 * A tab goes to the next column that is a multiple of four; of one that a container takes a part of,
 * the rest is white space of what stands in it.
 */
export class LineCursor {
  readonly text: string
  /** The number of the line, from 0. */
  number = -1
  start = 0
  /** Offset of the line feed of its line, or the end of the text. */
  end: number
  /** Offset of the unread part of the line. */
  pos = 0
  column = 0
  /** The first character from there that is no white space. */
  next = 0
  /** The columns of white space before it. */
  indent = 0
  /** Columns that are left of the tab at `pos`, of which a container took a part. */
  #rest = 0

  /** Before the line that starts at `from`. */
  constructor(text: string, from: number) {
    this.text = text
    this.end = from - 1
  }

  get isBlank(): boolean {
    return this.next === this.end
  }

  /** The character after the white space; NaN at the end of the line. */
  get nextCode(): number {
    return this.next < this.end ? this.text.charCodeAt(this.next) : Number.NaN
  }

  /** False at the end of the text. A line feed at the very end begins no line. */
  nextLine(): boolean {
    const start = this.end + 1
    if (start >= this.text.length) return false
    this.number++
    const end = this.text.indexOf("\n", start)
    this.start = start
    this.end = end === -1 ? this.text.length : end
    this.pos = start
    this.column = 0
    this.#rest = 0
    this.findNext()
    return true
  }

  /** Goes to where another cursor of the same text is. */
  moveTo(other: LineCursor): void {
    this.number = other.number
    this.start = other.start
    this.end = other.end
    this.pos = other.pos
    this.column = other.column
    this.next = other.next
    this.indent = other.indent
    this.#rest = other.#rest
  }

  findNext(): void {
    const { text, end } = this
    let { pos, column } = this
    for (; pos < end; pos++) {
      const code = text.charCodeAt(pos)
      if (code === 32) column++
      else if (code === 9) column += 4 - (column & 3)
      else break
    }
    this.next = pos
    this.indent = column - this.column
  }

  /** Behind `length` characters after the white space, which are no tabs. */
  skipTo(length: number): void {
    this.column += this.indent + length
    this.pos = this.next + length
    this.#rest = 0
    this.findNext()
  }

  /** Behind so many columns of white space, of which there are as many. */
  skipColumns(columns: number): void {
    for (let left = columns; left > 0;) {
      if (this.text.charCodeAt(this.pos) !== 9) {
        this.pos++
        this.column++
        left--
        continue
      }
      const width = 4 - (this.column & 3)
      const taken = Math.min(width, left)
      this.column += taken
      left -= taken
      this.#rest = width - taken
      if (this.#rest === 0) this.pos++
    }
    this.indent -= columns
  }

  skipSpaces(): void {
    this.column += this.indent
    this.indent = 0
    this.pos = this.next
    this.#rest = 0
  }

  /** Unread part of the line. */
  rest(): string {
    return this.#rest === 0
      ? this.text.slice(this.pos, this.end)
      : " ".repeat(this.#rest) + this.text.slice(this.pos + 1, this.end)
  }

  /** The same without so many columns of white space at most. */
  restFrom(columns: number): string {
    this.skipColumns(Math.min(columns, this.indent))
    return this.rest()
  }
}
