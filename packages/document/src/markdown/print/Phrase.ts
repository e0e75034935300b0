/** Phrases for serialization as Markdown: the inlines of a paragraph, heading or cell, with nested marks. */
import type { Text } from "./Text.ts"

export type Phrase =
  | Text
  | Marked
  | Link
  | LinkReference
  | Image
  | ImageReference
  | { readonly type: "footnoteReference"; readonly label: string }
  /** Text that is written unchanged: HTML. */
  | { readonly type: "verbatim"; readonly value: string }
  | { readonly type: "code"; readonly value: string }
  /** `value`: code of the emoji, as in `Emoji`. */
  | { readonly type: "emoji"; readonly value: string }
  | { readonly type: "formula"; readonly value: string }
  | { readonly type: "break" }

export interface Marked {
  readonly type: "strong" | "emphasis" | "delete"
  readonly children: ReadonlyArray<Phrase>
}

export interface Resource {
  readonly url: string
  readonly title: string | undefined
}

export interface Link extends Resource {
  readonly type: "link"
  readonly children: ReadonlyArray<Phrase>
}

export interface Image extends Resource {
  readonly type: "image"
  readonly alt: string
}

/** Written as `[text][label]`, or as `[label]` if the text equals the label. */
export interface LinkReference {
  readonly type: "linkReference"
  readonly label: string
  /** True to write `[label][]`, if the following text would be parsed as part of `[label]`. */
  readonly isCollapsed?: boolean
  readonly children: ReadonlyArray<Phrase>
}

export interface ImageReference {
  readonly type: "imageReference"
  readonly label: string
  readonly isCollapsed?: boolean
  readonly alt: string
}
