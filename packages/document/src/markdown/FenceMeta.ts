/**
 * Reads the text behind the language of a fence as the properties of an integration's block: ```` ```mermaid
 * theme="dark" ````, written as those of its tag are (see `TagData`).
 */
import type { Data } from "../Document.ts"
import * as TagData from "./TagData.ts"
import * as TagLine from "./TagLine.ts"

/** Undefined where it says something else. */
export const read = (meta: string): Data | undefined => {
  if (meta === "") return {}
  const line = TagLine.parse(`{% @a/b ${meta} %}`)
  return line === undefined || line.argument !== undefined ? undefined : TagData.propsOf(line.attributes)
}

/** Undefined where they can't be said on the line of a fence. */
export const write = (props: Data): string | undefined => {
  const attributes = TagData.attributesOf(props)
  const line = attributes && TagLine.print({ name: "@a/b", attributes })
  return line === undefined || /[`\r\n]/.test(line) ? undefined : line.slice("{% @a/b ".length, -" %}".length)
}
