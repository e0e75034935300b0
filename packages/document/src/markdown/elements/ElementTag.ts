/**
 * A tag of an element: a component such as `<Card title="A">`, a shortcode such as `{{< card "A" >}}`, or a line
 * `::: card`.
 */
import type { ElementForm } from "../dialect/Dialect.ts"

export interface ElementTag {
  readonly syntax: "component" | "shortcode" | "directive"
  readonly name: string
  readonly kind: "open" | "close" | "selfClosing"
  /** Values by name. Values without a name have their position as their name, from `0`. */
  readonly attributes: ReadonlyMap<string, unknown>
  readonly source: string
  /** Offset after the tag. */
  readonly end: number
}

export type KnownForm = ElementForm | undefined

/** Returns the first of the attributes that is a text or a number. */
export const textAttribute = ({ attributes }: ElementTag, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = attributes.get(name)
    if (typeof value === "number") return String(value)
    if (typeof value === "string" && value.trim() !== "") return value.replace(/\s+/g, " ").trim()
  }
  return undefined
}

/** True if an attribute is present, unless its value is false. */
export const hasFlag = ({ attributes }: ElementTag, name: string): boolean => {
  const value = attributes.get(name)
  return value !== undefined && value !== false && value !== "false"
}
