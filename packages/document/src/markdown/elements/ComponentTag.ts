/**
 * Parses a tag of a component or of an HTML element in JSX: attributes with quotes, with braces, or without a value. A
 * value in braces is read if it is a literal.
 *
 * Limit: tags of 64 KiB.
 */
import { Code, readExpression } from "../../LiteralValue.ts"
import { decodeReferences } from "../HtmlTree.ts"
import { expressionEnd, maxLength, type ScanBudget } from "./Braces.ts"
import type { ElementTag } from "./ElementTag.ts"

const start = /<(\/?)([A-Za-z][\w.:-]*|(?=>))/y
const space = /\s*/y
const attributeName = /[A-Za-z_:@][\w.:@-]*/y
const equals = /\s*=\s*/y
const end = /(\/?)>/y
const maxExpression = 10_000

/** Asset calls of components whose only argument is the path of a file. */
const assetCall = /^(?:require|useBaseUrl)\(\s*(["'])([^"'\n]+)\1\s*\)(?:\.default)?$/

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns undefined if no complete tag is at the offset. `constants`: values of identifiers. */
export const read = (
  text: string,
  from: number,
  constants: ReadonlyMap<string, string>,
  budget: ScanBudget
): ElementTag | undefined => {
  const opening = budget.isExhausted ? null : matchAt(start, text, from)
  if (opening === null) return undefined
  const name = opening[2]!
  const limit = from + maxLength
  const attributes = new Map<string, unknown>()
  for (let at = start.lastIndex; at < limit;) {
    matchAt(space, text, at)
    const afterSpace = space.lastIndex
    const ending = matchAt(end, text, afterSpace)
    if (ending !== null) {
      const isClosing = opening[1] === "/"
      if (isClosing && (attributes.size > 0 || ending[1] === "/")) return budget.fail(at - from)
      return {
        syntax: "component",
        name,
        kind: isClosing ? "close" : ending[1] === "/" ? "selfClosing" : "open",
        attributes,
        source: text.slice(from, end.lastIndex),
        end: end.lastIndex
      }
    }
    if (text[afterSpace] === "{") {
      const after = expressionEnd(text, afterSpace, budget)
      if (after === -1) return undefined
      at = after
      continue
    }
    const attribute = afterSpace > at ? matchAt(attributeName, text, afterSpace)?.[0] : undefined
    if (attribute === undefined) return budget.fail(afterSpace - from)
    at = attributeName.lastIndex
    if (matchAt(equals, text, at) === null) {
      attributes.set(attribute, true)
      continue
    }
    at = equals.lastIndex
    const value = readValue(text, at, constants, budget)
    if (value === undefined) return budget.fail(at - from)
    attributes.set(attribute, value.value)
    at = value.end
  }
  return budget.fail(maxLength)
}

const readValue = (
  text: string,
  at: number,
  constants: ReadonlyMap<string, string>,
  budget: ScanBudget
): { readonly value: unknown; readonly end: number } | undefined => {
  const quote = text[at]
  if (quote === '"' || quote === "'") {
    const close = text.slice(at + 1, at + maxLength).indexOf(quote) + at + 1
    if (close === at) return budget.fail(maxLength)
    return { value: decodeReferences(text.slice(at + 1, close)), end: close + 1 }
  }
  if (quote !== "{") return undefined
  const after = expressionEnd(text, at, budget)
  return after === -1 ? undefined : { value: readBraces(text.slice(at + 1, after - 1).trim(), constants), end: after }
}

const readBraces = (expression: string, constants: ReadonlyMap<string, string>): unknown => {
  if (expression.length > maxExpression) return new Code(0)
  const constant = constants.get(expression.replace(/\.src$/, ""))
  return constant ?? assetCall.exec(expression)?.[2] ?? readExpression(expression)
}
