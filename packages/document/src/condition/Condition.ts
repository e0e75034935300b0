/**
 * A condition decides per visitor whether something is shown: a JavaScript-like expression over
 * what is known of the visitor, as `visitor.claims.plan == "pro" && "beta" in visitor.claims.groups`.
 * It can read and compare, and nothing else:
 *
 * - literals (text, numbers, true, false, null), `undefined`, and lists of expressions
 * - `visitor.claims`, `visitor.claims.a.b`, `visitor.claims["a b"]`, `visitor.claims.list[0]`
 *   (`?.` is the same as `.`: what is not known is undefined, and so is all below it)
 * - `==`, `===`, `!=`, `!==`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!`, `in`, parentheses
 * - `includes`, `startsWith` and `endsWith` of text and of lists
 *
 * It means what it means in JavaScript, and differs where that would surprise or fail:
 *
 * - `x in list` asks for an item (not for an index), `x in object` for a key of its own
 * - a list starts with its first item and ends with its last one
 * - a method of something else than text or a list, or of text with something else, is false
 * - lists and objects are never turned into text or numbers: each equals itself alone, and is
 *   neither less nor more than anything
 * - only what a claim holds is read: no prototypes, no `length`
 *
 * An expression in the text of a page is the same, and reads variables too: `space.vars.version`,
 * `page.vars["a b"]`. It stands for its value, or decides about a part of the page.
 *
 * Limits: 1,024 characters, nesting of 64.
 */
import { Result, Schema } from "effect"
import { type Values, valueOf } from "./ConditionEvaluation.ts"
import { failure, type Names, type Parsed, read } from "./ConditionParser.ts"
import { ConditionText, maxLength } from "./ConditionText.ts"
import type { ConditionTree } from "./ConditionTree.ts"

/** The text of conditions that are kept parsed, in UTF-16 units; those used last, at least half of it. */
const keptText = 256 * 1024

/** Two halves: what the former half still holds moves to the current one when it is read again. */
class Kept {
  #current = new Map<string, Parsed>()
  #former = new Map<string, Parsed>()
  #size = 0

  get(text: string): Parsed | undefined {
    const known = this.#current.get(text)
    if (known !== undefined) return known
    const former = this.#former.get(text)
    if (former !== undefined) this.set(text, former)
    return former
  }

  set(text: string, tree: Parsed): void {
    this.#size += text.length
    if (this.#size > keptText / 2) {
      this.#former = this.#current
      this.#current = new Map()
      this.#size = text.length
    }
    this.#current.set(text, tree)
  }
}

const parsed: { readonly [N in Names]: Kept } = { claims: new Kept(), all: new Kept() }

const parseWith = (text: string, names: Names): Parsed => {
  const known = parsed[names].get(text)
  if (known !== undefined) return known
  if (!isText(text)) return failure(`Expected 1 to ${maxLength} characters of well-formed text`, text, 0)
  const result = read(text, names)
  parsed[names].set(text, result)
  return result
}

/** Reads a condition; what was read lately is not read again. */
export const parse = (text: string): Parsed => parseWith(text, "claims")

/** Reads an expression of a page, in the same way. */
export const parseExpression = (text: string): Parsed => parseWith(text, "all")

const none: Values = {}

/** Tells whether a condition holds for a visitor with these claims. */
export const evaluate = (tree: ConditionTree, claims: Values): boolean =>
  Boolean(valueOf(tree, { claims, space: none, page: none }))

/** The same for a condition as it is written; one that can't be read never holds. */
export const holds = (text: string, claims: { readonly [name: string]: unknown }): boolean => {
  const tree = parse(text)
  return Result.isSuccess(tree) && evaluate(tree.success, claims)
}

const isText = Schema.is(ConditionText)

export const Condition = ConditionText.check(
  Schema.makeFilter((text: string) => {
    // What is no such text is told by its own check.
    if (!isText(text)) return undefined
    const tree = parse(text)
    return Result.isSuccess(tree) ? undefined : tree.failure.message
  })
)
export type Condition = typeof Condition.Type
