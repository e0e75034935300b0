/** Syntax tree of a parsed condition (see `Condition`). */

export type Comparison = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in"
export type Method = "includes" | "startsWith" | "endsWith"
export type ListMethod = "filter" | "some" | "every"

/** A parsed condition. Immutable. */
export type ConditionTree =
  | { readonly kind: "value"; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: "list"; readonly items: ReadonlyArray<ConditionTree> }
  /** The claim at a path. An empty path stands for all claims. */
  | { readonly kind: "claim"; readonly path: ReadonlyArray<string> }
  /** A variable of the space or the page. Only in expressions. */
  | { readonly kind: "variable"; readonly of: "space" | "page"; readonly path: ReadonlyArray<string> }
  | { readonly kind: "not"; readonly of: ConditionTree }
  /** `&&`: the value of the first falsy operand, otherwise of the last one. */
  | { readonly kind: "all"; readonly of: ReadonlyArray<ConditionTree> }
  /** `||`: the value of the first truthy operand, otherwise of the last one. */
  | { readonly kind: "any"; readonly of: ReadonlyArray<ConditionTree> }
  | {
      readonly kind: "comparison"
      readonly operator: Comparison
      readonly left: ConditionTree
      readonly right: ConditionTree
    }
  | { readonly kind: "call"; readonly method: Method; readonly of: ConditionTree; readonly argument: ConditionTree }
  | RuleTree

/**
 * Nodes that only rules have. `at`: offset in the text, in UTF-16 code units.
 *
 * - `name`: a given value, or the parameter of an enclosing `each`
 * - `field`: a field or item of a value, or its `length`
 * - `each`: a method of a list that evaluates `body` for each item
 * - `choice`: `test ? then : otherwise`
 */
export type RuleTree =
  | { readonly kind: "name"; readonly name: string; readonly at: number }
  | { readonly kind: "field"; readonly of: ConditionTree; readonly key: string; readonly at: number }
  | {
      readonly kind: "each"
      readonly method: ListMethod
      readonly of: ConditionTree
      readonly parameter: string
      readonly body: ConditionTree
      readonly at: number
    }
  | {
      readonly kind: "choice"
      readonly test: ConditionTree
      readonly consequent: ConditionTree
      readonly alternate: ConditionTree
    }
