/** A condition that was read, as a tree of the few things that one can say (see `Condition`). */

export type Comparison = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in"
export type Method = "includes" | "startsWith" | "endsWith"

/** A condition that was read. Immutable. */
export type ConditionTree =
  | { readonly kind: "value"; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: "list"; readonly items: ReadonlyArray<ConditionTree> }
  /** The claim at a path; all claims where the path is empty. */
  | { readonly kind: "claim"; readonly path: ReadonlyArray<string> }
  /** A variable of the space or of the page, in expressions alone. */
  | { readonly kind: "variable"; readonly of: "space" | "page"; readonly path: ReadonlyArray<string> }
  | { readonly kind: "not"; readonly of: ConditionTree }
  /** The first that doesn't count as true, else the last. */
  | { readonly kind: "all"; readonly of: ReadonlyArray<ConditionTree> }
  /** The first that counts as true, else the last. */
  | { readonly kind: "any"; readonly of: ReadonlyArray<ConditionTree> }
  | {
      readonly kind: "comparison"
      readonly operator: Comparison
      readonly left: ConditionTree
      readonly right: ConditionTree
    }
  | { readonly kind: "call"; readonly method: Method; readonly of: ConditionTree; readonly argument: ConditionTree }
