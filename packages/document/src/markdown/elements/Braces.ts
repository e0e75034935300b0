/** Finds the ends of JavaScript expressions in braces, without parsing them. */

/** Maximum length of an expression or a tag. */
export const maxLength = 64 * 1024
const maxFailedLength = 1024 * 1024

/** Limits the text that failed scans of one page cover, so that the time of a page depends only on its length. */
export class ScanBudget {
  #failedLength = 0

  get isExhausted(): boolean {
    return this.#failedLength > maxFailedLength
  }

  /** Records a failed scan. Returns undefined. */
  fail(length: number): undefined {
    this.#failedLength += length
  }
}

const openers = "([{"
const closers = ")]}"

/**
 * Returns the offset after the `}` that closes the `{` at an offset. Braces in strings, templates and comments do not
 * count. Returns -1 if the expression is not closed within `maxLength`.
 */
export const expressionEnd = (text: string, from: number, budget: ScanBudget): number => {
  const end = budget.isExhausted ? -1 : findEnd(text, from)
  if (end === -1) budget.fail(Math.min(text.length - from, maxLength))
  return end
}

/**
 * Returns the offset after the statements at an offset: the next blank line outside of all brackets, or the end of the
 * text. Without such a line within `maxLength`, the first blank line ends them.
 */
export const statementsEnd = (text: string, from: number, budget: ScanBudget): number => {
  const blankLine = /\n[ \t]*(?=\n)|$/g
  blankLine.lastIndex = from
  const firstBlank = blankLine.exec(text)!.index
  if (budget.isExhausted) return firstBlank
  const end = findEnd(text, from, { isStatement: true })
  if (end === -1) budget.fail(Math.min(text.length - from, maxLength))
  return end === -1 ? firstBlank : end
}

const blankEnd = /\n[ \t]*(?:\n|$)/y

const findEnd = (text: string, from: number, { isStatement = false } = {}): number => {
  const stack: Array<string> = []
  const limit = Math.min(text.length, from + maxLength)
  for (let at = from; at < limit; at++) {
    const character = text[at]!
    if (stack.at(-1) === "`") {
      if (character === "\\") at++
      else if (character === "`") stack.pop()
      else if (character === "$" && text[at + 1] === "{") {
        stack.push("{")
        at++
      }
      continue
    }
    if (isStatement && character === "\n" && stack.length === 0) {
      blankEnd.lastIndex = at
      if (blankEnd.test(text)) return at
    }
    if (character === '"' || character === "'") at = stringEnd(text, at, limit)
    else if (character === "`") stack.push(character)
    else if (character === "/" && (text[at + 1] === "*" || (text[at + 1] === "/" && text[at - 1] !== ":"))) {
      const end = text[at + 1] === "*" ? text.indexOf("*/", at + 2) : text.indexOf("\n", at)
      if (end === -1 || end >= limit) return isStatement && limit === text.length ? limit : -1
      at = text[end] === "\n" ? end - 1 : end + 1
    } else if (openers.includes(character)) stack.push(character)
    else if (closers.includes(character)) {
      const opener = openers[closers.indexOf(character)]
      // Text of an element within the expression may contain single parentheses.
      if (stack.at(-1) !== opener) {
        if (character !== "}") continue
        while (stack.length > 0 && stack.at(-1) !== "{") stack.pop()
      }
      stack.pop()
      if (stack.length === 0 && !isStatement) return at + 1
    }
  }
  return isStatement && stack.length === 0 && limit === text.length ? limit : -1
}

/** Returns the offset of the quote that ends a string. A quote without an end on its line is an apostrophe. */
const stringEnd = (text: string, from: number, limit: number): number => {
  const quote = text[from]
  for (let at = from + 1; at < limit; at++) {
    const character = text[at]
    if (character === "\\") at++
    else if (character === quote) return at
    else if (character === "\n") return from
  }
  return from
}
