/**
 * Parses the text after the language of a code fence as the properties of an integration's block: ```` ```mermaid
 * theme="dark" ````. The syntax is that of the block's tag (see `TagData`).
 */
import type { Data } from "../Document.ts"
import * as TagData from "./TagData.ts"
import * as TagLine from "./TagLine.ts"

/** Returns the properties; undefined if the text is not in this syntax. */
export const read = (meta: string): Data | undefined => {
  if (meta === "") return {}
  const line = TagLine.parse(`{% @a/b ${meta} %}`)
  return line === undefined || line.argument !== undefined ? undefined : TagData.readProps(line.attributes)
}

/** Returns the text; undefined if the line of a fence cannot express the properties. */
export const write = (props: Data): string | undefined => {
  const attributes = TagData.writeProps(props)
  const line = attributes && TagLine.print({ name: "@a/b", attributes })
  return line === undefined || /[`\r\n]/.test(line) ? undefined : line.slice("{% @a/b ".length, -" %}".length)
}
