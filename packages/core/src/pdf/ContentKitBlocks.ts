/**
 * Converts the rendered element of an integration to blocks of a document: texts, links, Markdown, code, hints, and
 * images by URL. Interactive elements and frames are left out, since they do nothing on paper.
 *
 * Limits: 1,000 elements, 32 levels, 64 Ki characters. Anything beyond is left out.
 */
import * as CodeLine from "@lectern/document/CodeLine"
import type { Block, Inline, Text } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { isRenderedElement } from "../integration/RenderOutput.ts"

const maxElements = 1_000
const maxDepth = 32
const maxCharacters = 64 * 1024

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Result of a program: an element, and its state. */
export interface ProgramOutput {
  readonly element: Fields
  readonly state: Fields
}

/** Parses the JSON response to `ui_render`. Undefined if the response is not a rendered element. */
export const parseOutput = (text: string): ProgramOutput | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRenderedElement(value)) return undefined
    const { element, state }: Fields & typeof value = value
    return { element, state: isFields(state) ? state : {} }
  } catch {
    return undefined
  }
}

/** Returns the blocks of a rendered element. `nextKey` creates the key of each block. */
export const blocksOf = ({ element, state }: ProgramOutput, nextKey: () => string): ReadonlyArray<Block> => {
  const builder = new BlockBuilder(state, nextKey)
  builder.element(element, 0)
  return builder.blocks
}

class BlockBuilder {
  readonly blocks: Array<Block> = []
  readonly #state: Fields
  readonly #nextKey: () => string
  #elements = 0
  #characters = 0

  constructor(state: Fields, nextKey: () => string) {
    this.#state = state
    this.#nextKey = nextKey
  }

  element(element: unknown, depth: number): void {
    if (!isFields(element) || depth > maxDepth || ++this.#elements > maxElements) return
    switch (element["type"]) {
      case "text":
      case "link":
        return this.#paragraph(this.#line(element, depth))
      case "hint":
        return this.#addHint(this.#line(element, depth))
      case "markdown":
        return this.#markdown(this.#text(element["content"]))
      case "codeblock":
        this.#addAll(element["header"], depth)
        this.#addCode(element)
        return this.#addAll(element["footer"], depth)
      case "image":
        return this.#image(element["source"])
      case "card":
        for (const name of ["title", "hint"]) this.#paragraph(this.#line(element[name], depth))
        return this.#addAll(element["children"], depth)
      case "step":
        this.#paragraph(this.#line(element["title"], depth))
        return this.#addAll(element["children"], depth)
      case "block":
      case "box":
      case "hstack":
      case "vstack":
      case "stepper":
        return this.#addAll(element["children"], depth)
    }
  }

  #addAll(children: unknown, depth: number): void {
    for (const child of listOf(children)) {
      if (typeof child === "string") this.#paragraph(this.#line(child, depth))
      else this.element(child, depth + 1)
    }
  }

  /** Returns a literal text, or the value of a `$state` reference. Truncated to the remaining characters. */
  #text(value: unknown): string {
    const key = isFields(value) ? value["$state"] : undefined
    const text = typeof key === "string" && Object.hasOwn(this.#state, key) ? this.#state[key] : value
    if (typeof text !== "string") return ""
    const truncatedText = text.slice(0, maxCharacters - this.#characters).toWellFormed()
    this.#characters += truncatedText.length
    return truncatedText
  }

  #line(value: unknown, depth: number): ReadonlyArray<Inline | Text> {
    if (depth > maxDepth) return []
    if (!isFields(value) || "$state" in value) {
      if (Array.isArray(value)) return value.flatMap((item) => this.#line(item, depth + 1))
      const text = this.#text(value)
      return text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    }
    if (++this.#elements > maxElements) return []
    const inner = this.#line(listOf(value["children"]), depth)
    const target = value["type"] === "link" ? value["target"] : undefined
    const url = isFields(target) ? this.#text(target["url"]) : ""
    if (url === "") return inner
    const nodes = inner.filter((node) => node.object === "text")
    return [{ object: "inline", type: "link", data: { ref: { kind: "url", url } }, nodes }]
  }

  #add(block: Omit<Block, "object" | "key">): void {
    this.blocks.push({ object: "block", key: this.#nextKey(), ...block })
  }

  #paragraph(nodes: ReadonlyArray<Inline | Text>): void {
    if (nodes.length > 0) this.#add({ type: "paragraph", nodes })
  }

  #addHint(nodes: ReadonlyArray<Inline | Text>): void {
    if (nodes.length === 0) return
    const paragraph: Block = { object: "block", type: "paragraph", key: this.#nextKey(), nodes }
    this.#add({ type: "hint", data: { style: "info" }, nodes: [paragraph] })
  }

  #markdown(text: string): void {
    // The line break in front keeps the parser from reading front matter, which only pages have.
    if (text.trim() !== "") this.blocks.push(...Markdown.parse(`\n${text}`, { nextKey: this.#nextKey }).document.nodes)
  }

  #addCode({ content, syntax }: Fields): void {
    const text = this.#text(content)
    if (text === "") return
    const lines = text.split("\n").map((line) => CodeLine.codeLine(line, this.#nextKey()))
    this.#add({ type: "code", data: typeof syntax === "string" ? { syntax } : {}, nodes: lines })
  }

  #image(source: unknown): void {
    const url = isFields(source) ? this.#text(source["url"]) : ""
    if (url === "") return
    const image: Block = {
      object: "block",
      type: "image",
      key: this.#nextKey(),
      data: { ref: { kind: "url", url } },
      isVoid: true
    }
    this.#add({ type: "images", data: {}, nodes: [image] })
  }
}
