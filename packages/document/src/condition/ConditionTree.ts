/** Syntax tree of a parsed condition (see `Condition`). */

export type Comparison = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in"
export type Method = "includes" | "startsWith" | "endsWith"

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
