/**
 * Parses the translation of a `MarkedText`. It is valid only if each mark occurs exactly once, inside the same mark as
 * before, without other markup. The order of marks may change.
 */
import type { Inline, Leaf, Mark, Text } from "@lectern/document/Document"
import { oneLine } from "@lectern/document/markdown/OneLine"
import { isPair, type MarkedText, type Slot, top } from "./MarkedText.ts"
import { containsMarkup } from "./Untranslatable.ts"

const entities: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0"
}
const unescapeText = (text: string) =>
  text.replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (entity, name, decimal, hex) => {
    if (name !== undefined) return entities[String(name).toLowerCase()]!
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : entity
  })

type ParsedPart = string | { readonly slot: Slot; readonly children: ReadonlyArray<ParsedPart> }

const token = /<(\/?)(m|x)(?:\s+id\s*=\s*["']?(\d{1,6})["']?)?\s*(\/?)>/gi

/** Returns the maximum length of a translation. */
const maxLength = (text: string) => 200 + 8 * text.length

/** Parses a translation by its slots; undefined if it does not fit the text. */
const parse = (
  { text, slots, before, after, lines }: MarkedText,
  translated: string
): ReadonlyArray<ParsedPart> | undefined => {
  if (translated.length > maxLength(text) || !translated.isWellFormed() || translated.includes("\u0000"))
    return undefined
  const openSlots: Array<{ readonly id: number; readonly children: Array<ParsedPart> }> = [{ id: top, children: [] }]
  const usedSlots = new Set<number>()
  let containsWords = false
  const addText = (part: string): boolean => {
    const partText = unescapeText(lines ? part : oneLine(part))
    if (partText === "") return true
    containsWords ||= /[\p{L}\p{N}]/u.test(partText)
    openSlots.at(-1)!.children.push(partText)
    return !containsMarkup(partText) && !partText.includes("\u0000")
  }

  const fullText = before + translated.trim() + after
  let end = 0
  for (const { 0: tag, 1: closing, 2: name, 3: number, 4: selfClosing, index } of fullText.matchAll(token)) {
    if (index < end) continue
    if (!addText(fullText.slice(end, index))) return undefined
    end = index + tag.length
    if (closing === "/") {
      if (name!.toLowerCase() === "x") continue
      if (openSlots.length === 1) return undefined
      openSlots.pop()
      continue
    }
    const id = Number(number)
    const slot = slots[id - 1]
    if (slot === undefined || usedSlots.has(id) || slot.parent !== openSlots.at(-1)!.id) return undefined
    if (isPair(slot) !== (name!.toLowerCase() === "m") || (isPair(slot) && selfClosing === "/")) return undefined
    usedSlots.add(id)
    const children: Array<ParsedPart> = []
    openSlots.at(-1)!.children.push({ slot, children })
    if (isPair(slot)) openSlots.push({ id, children })
    else if (selfClosing !== "/") {
      // Some engines write an end tag for an untranslated part. Text before the end tag is ignored.
      const next = fullText.slice(end).search(/<\/?[mx][\s/>]/i)
      if (next !== -1 && /^<\/x\s*>/i.test(fullText.slice(end + next))) end += next
    }
  }
  if (!addText(fullText.slice(end)) || openSlots.length > 1 || usedSlots.size < slots.length || !containsWords)
    return undefined
  return openSlots[0]!.children
}

class NodeList {
  readonly nodes: Array<Inline | Text> = []
  #leaves: Array<Leaf> = []
  /** True if the next text extends the last leaf. */
  continuesLeaf = false

  add(parts: ReadonlyArray<ParsedPart>, marks: ReadonlyArray<Mark>): this {
    for (const part of parts) {
      if (typeof part === "string") this.#leaf(part, marks)
      else this.#slot(part.slot, part.children, marks)
    }
    return this
  }

  end(): Array<Inline | Text> {
    if (this.#leaves.length > 0) this.nodes.push({ object: "text", leaves: this.#leaves })
    this.#leaves = []
    this.continuesLeaf = false
    return this.nodes
  }

  #slot(slot: Slot, children: ReadonlyArray<ParsedPart>, marks: ReadonlyArray<Mark>): void {
    switch (slot.type) {
      case "marks":
        this.continuesLeaf = false
        this.add(children, slot.marks)
        this.continuesLeaf = false
        break
      case "leaf":
        this.#leaves.push(slot.leaf)
        this.continuesLeaf = false
        break
      case "text":
        this.#leaf(slot.text, marks)
        break
      case "link":
        this.end()
        this.nodes.push({ ...slot.inline, nodes: new NodeList().add(children, []).end() })
        break
      case "inline":
        this.end()
        this.nodes.push(slot.inline)
    }
  }

  #leaf(text: string, marks: ReadonlyArray<Mark>): void {
    const last = this.continuesLeaf ? this.#leaves.pop() : undefined
    this.#leaves.push({ object: "leaf", text: (last?.text ?? "") + text, marks })
    this.continuesLeaf = true
  }
}

const noMarks: ReadonlyArray<Mark> = []

/** Returns the inlines of a translation; undefined if it is invalid. */
export const decode = (markedText: MarkedText, translated: string): ReadonlyArray<Inline | Text> | undefined => {
  const parts = parse(markedText, translated)
  return parts && new NodeList().add(parts, noMarks).end()
}

export const decodePlain = (markedText: MarkedText, translated: string): string | undefined =>
  parse(markedText, translated)
    ?.map((part) => (typeof part === "string" ? part : part.slot.type === "text" ? part.slot.text : ""))
    .join("")
