/** Phrases that the text of a paragraph, heading or cell is written of: its inlines, with marks that nest. */
import type { Text } from "./Text.ts"

export type Phrase =
  | Text
  | Marked
  | Link
  | LinkReference
  | Image
  | ImageReference
  | { readonly type: "footnoteReference"; readonly label: string }
  /** Text that is written as it is: HTML. */
  | { readonly type: "verbatim"; readonly value: string }
  | { readonly type: "code"; readonly value: string }
  /** `value` is the code of it, as `Emoji` has it. */
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

/** `[text][label]`, or `[label]` alone where the text is the same. */
export interface LinkReference {
  readonly type: "linkReference"
  readonly label: string
  /** Writes `[label][]`, since the text behind would be read as a part of `[label]`. */
  readonly isCollapsed?: boolean
  readonly children: ReadonlyArray<Phrase>
}

export interface ImageReference {
  readonly type: "imageReference"
  readonly label: string
  readonly isCollapsed?: boolean
  readonly alt: string
}
