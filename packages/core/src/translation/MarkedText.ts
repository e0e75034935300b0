/**
 * Text of a paragraph in the form for a translation engine. `MarkedTranslation` parses the result. Marked words and
 * links become `<m id="1">…</m>`, untranslated parts become `<x id="2"/>`, the rest is escaped as in HTML.
 */
import type { Inline, Leaf, Mark, Node } from "@lectern/document/Document"
import { inlineSpec, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { markSpec } from "@lectern/document/vocabulary/MarkTypes"
import { hasWords, partsOf } from "./Untranslatable.ts"

/** Numbered element in the text for the engine: marked words, or an untranslated part. */
export type Slot =
  | { readonly type: "marks"; readonly marks: ReadonlyArray<Mark>; readonly parent: number }
  | { readonly type: "link"; readonly inline: Inline; readonly parent: number }
  | { readonly type: "leaf"; readonly leaf: Leaf; readonly parent: number }
  | { readonly type: "inline"; readonly inline: Inline; readonly parent: number }
  | { readonly type: "text"; readonly text: string; readonly parent: number }

type NewSlot = Slot extends infer S ? (S extends Slot ? Omit<S, "parent"> : never) : never

export const isPair = ({ type }: Slot) => type === "marks" || type === "link"

export interface MarkedText {
  /** Text for the engine, without surrounding white space. */
  readonly text: string
  readonly slots: ReadonlyArray<Slot>
  /** Surrounding white space. */
  readonly before: string
  readonly after: string
  /** True if the text contains line breaks. */
  readonly lines: boolean
}

/** Number of the outermost level, which is no element. */
export const top = 0

const escapes: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character]!)

/** Returns true if an inline contains words of the text. Other inlines are not translated. */
const containsTranslatable = ({ type }: Inline) => isInlineType(type) && inlineSpec(type).contentKind === "text"

const isUntranslated = (mark: Mark) => markSpec(mark.type).isUntranslated === true

const hasTranslatable = (text: string) => partsOf(text).some((part) => !part.isUntranslatable && hasWords(part.text))

const hasText = (node: Node): boolean =>
  node.object === "text"
    ? node.leaves.some((leaf) => !leaf.marks.some(isUntranslated) && hasTranslatable(leaf.text))
    : node.object === "inline" && containsTranslatable(node) && node.nodes?.some(hasText) === true

class Encoder {
  readonly slots: Array<Slot> = []
  text = ""
  words = false
  parent = top

  nodes(nodes: ReadonlyArray<Node>): void {
    for (const node of nodes) {
      if (node.object === "text") for (const leaf of node.leaves) this.#leaf(leaf)
      else if (node.object === "inline") this.#inline(node)
    }
  }

  plain(text: string): void {
    for (const part of partsOf(text)) {
      if (part.isUntranslatable) this.#void({ type: "text", text: part.text })
      else {
        this.text += escapeText(part.text)
        this.words ||= hasWords(part.text)
      }
    }
  }

  #leaf(leaf: Leaf): void {
    if (leaf.marks.length === 0) this.plain(leaf.text)
    else if (leaf.marks.some(isUntranslated) || !hasTranslatable(leaf.text)) {
      this.#void({ type: "leaf", leaf })
    } else this.#pair({ type: "marks", marks: leaf.marks }, () => this.plain(leaf.text))
  }

  #inline(inline: Inline): void {
    if (hasText(inline)) this.#pair({ type: "link", inline }, () => this.nodes(inline.nodes!))
    else this.#void({ type: "inline", inline })
  }

  #void(slot: NewSlot): void {
    this.text += `<x id="${this.#slot(slot)}"/>`
  }

  #pair(slot: NewSlot, writeContent: () => void): void {
    const outer = this.parent
    const id = this.#slot(slot)
    this.parent = id
    this.text += `<m id="${id}">`
    writeContent()
    this.text += "</m>"
    this.parent = outer
  }

  /** Adds a slot and returns its number, starting with 1. */
  #slot(slot: NewSlot): number {
    return this.slots.push({ ...slot, parent: this.parent } as Slot)
  }
}

const finish = ({ text, slots, words }: Encoder): MarkedText | undefined => {
  if (!words) return undefined
  const trimmedStart = text.trimStart()
  const core = trimmedStart.trimEnd()
  return {
    text: core,
    slots,
    before: text.slice(0, text.length - trimmedStart.length),
    after: trimmedStart.slice(core.length),
    lines: core.includes("\n")
  }
}

/** Encodes inlines; undefined if they contain no words. */
export const encode = (nodes: ReadonlyArray<Node>): MarkedText | undefined => {
  const encoder = new Encoder()
  encoder.nodes(nodes)
  return finish(encoder)
}

/** Encodes a text without marks, such as a title; undefined if it contains no words. */
export const encodePlain = (text: string): MarkedText | undefined => {
  const encoder = new Encoder()
  encoder.plain(text)
  return finish(encoder)
}
