/**
 * Converts the values of a tag's attributes to fields of a block's data, and back. A value that is invalid for its kind
 * stays text.
 */
import * as Length from "./Length.ts"

export type AttributeKind = "text" | "boolean" | "number" | "length" | "list" | "tags"

const attributeKinds: ReadonlySet<string> = new Set<AttributeKind>([
  "text",
  "boolean",
  "number",
  "length",
  "list",
  "tags"
])

/** True if an attribute can express a field of this kind. */
export const isAttributeKind = (kind: string): kind is AttributeKind => attributeKinds.has(kind)

/** Returns the value; undefined if the text is invalid for the kind. */
export const read = (kind: AttributeKind, text: string): unknown => {
  switch (kind) {
    case "text":
      return text
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined
    case "number":
      return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined
    case "length":
      return Length.read(text)
    case "list":
      return splitList(text)
    case "tags":
      return splitList(text)?.map((tag) => ({ kind: "tag", tag }))
  }
}

/** Returns the text; undefined if the value is invalid for the kind. */
export const write = (kind: AttributeKind, value: unknown): string | undefined => {
  switch (kind) {
    case "text":
      return typeof value === "string" ? value : undefined
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined
    case "number":
      return typeof value === "number" ? String(value) : undefined
    case "length":
      return Length.write(value)
    case "list":
      return Array.isArray(value) && value.length > 0 ? value.map(String).join(",") : undefined
    case "tags":
      return Array.isArray(value) && value.length > 0
        ? value.map((one: { readonly tag?: unknown } | null) => String(one?.tag)).join(",")
        : undefined
  }
}

const splitList = (text: string): ReadonlyArray<string> | undefined => {
  const items = text.split(",").map((item) => item.trim())
  return items.includes("") ? undefined : items
}
