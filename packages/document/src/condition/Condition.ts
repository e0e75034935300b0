/**
 * A condition decides for each visitor whether content is visible. It is an expression with the syntax of JavaScript
 * over the visitor's claims, such as `visitor.claims.plan == "pro" && "beta" in visitor.claims.groups`. Supported
 * syntax:
 *
 * - literals (strings, numbers, true, false, null), `undefined`, and lists of expressions
 * - `visitor.claims`, `visitor.claims.a.b`, `visitor.claims["a b"]`, `visitor.claims.list[0]` (`?.` equals `.`: a
 *   missing claim and all paths below it are undefined)
 * - `==`, `===`, `!=`, `!==`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!`, `in`, parentheses
 * - `includes`, `startsWith` and `endsWith` of strings and lists
 *
 * The semantics are those of JavaScript, except for cases in which these would surprise or fail:
 *
 * - `x in list` tests for an item (not an index), `x in object` for an own key.
 * - `startsWith` and `endsWith` of a list compare its first or last item.
 * - A method is false if its object is neither a string nor a list, or if the argument for a string is not a string.
 * - Lists and objects are never converted to strings or numbers. Each equals only itself, and is neither less nor
 *   greater than any value.
 * - Only own properties of claims are read: no prototypes, no `length`.
 *
 * An expression in the text of a page has the same syntax and can also read variables: `space.vars.version`,
 * `page.vars["a b"]`. The page shows its value, or its value decides about a part of the page.
 *
 * Limits: 1,024 characters, 64 levels of nesting.
 */
import { Result, Schema } from "effect"
import { type Values, valueOf } from "./ConditionEvaluation.ts"
import { syntaxFailure, type ReadableNames, type Parsed, parseTree } from "./ConditionParser.ts"
import { ConditionText, maxLength } from "./ConditionText.ts"
import type { ConditionTree } from "./ConditionTree.ts"

/**
 * Maximum size of each cache of parsed conditions, in UTF-16 code units of their text. The most recently used
 * conditions, of at least half of this size, are never evicted.
 */
const maxCacheSize = 256 * 1024

/**
 * Cache of parsed conditions in two maps. When the current map is full, it becomes the former map, and the previous
 * former map is dropped. A hit in the former map moves the entry to the current map.
 */
class ParsedCache {
  #current = new Map<string, Parsed>()
  #former = new Map<string, Parsed>()
  #size = 0

  get(text: string): Parsed | undefined {
    const cached = this.#current.get(text)
    if (cached !== undefined) return cached
    const former = this.#former.get(text)
    if (former !== undefined) this.set(text, former)
    return former
  }

  set(text: string, tree: Parsed): void {
    this.#size += text.length
    if (this.#size > maxCacheSize / 2) {
      this.#former = this.#current
      this.#current = new Map()
      this.#size = text.length
    }
    this.#current.set(text, tree)
  }
}

const caches: { readonly [N in ReadableNames]: ParsedCache } = {
  claims: new ParsedCache(),
  all: new ParsedCache(),
  rule: new ParsedCache()
}

const parseWith = (text: string, names: ReadableNames): Parsed => {
  const cached = caches[names].get(text)
  if (cached !== undefined) return cached
  if (!isText(text)) return syntaxFailure(`Expected 1 to ${maxLength} characters of well-formed text`, text, 0)
  const result = parseTree(text, names)
  caches[names].set(text, result)
  return result
}

/** Parses a condition. Recently parsed conditions come from the cache. */
export const parse = (text: string): Parsed => parseWith(text, "claims")

/** Parses an expression of a page. Recently parsed expressions come from a cache. */
export const parseExpression = (text: string): Parsed => parseWith(text, "all")

/** Parses the expression of a rule (see `Rule`). Recently parsed expressions come from a cache. */
export const parseRule = (text: string): Parsed => parseWith(text, "rule")

const noValues: Values = {}

/** Returns true if a condition holds for a visitor with these claims. */
export const evaluate = (tree: ConditionTree, claims: Values): boolean =>
  Boolean(valueOf(tree, { claims, space: noValues, page: noValues }))

/** Parses and evaluates a condition. A condition that can't be parsed never holds. */
export const holds = (text: string, claims: { readonly [name: string]: unknown }): boolean => {
  const tree = parse(text)
  return Result.isSuccess(tree) && evaluate(tree.success, claims)
}

const isText = Schema.is(ConditionText)

export const Condition = ConditionText.check(
  Schema.makeFilter((text: string) => {
    // Empty here, since `ConditionText` already reports an invalid text.
    if (!isText(text)) return undefined
    const tree = parse(text)
    return Result.isSuccess(tree) ? undefined : tree.failure.message
  })
)
export type Condition = typeof Condition.Type
