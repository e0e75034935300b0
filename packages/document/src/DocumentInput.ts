/**
 * Validates and completes a document from a client:
 *
 * - Checks the shapes of nodes, and the limits (see `DocumentSize`).
 * - Assigns keys to blocks without a key or with a duplicate key.
 * - Adds required parts (see `RequiredParts`).
 * - Converts content of responses to its stored form (see `WireDocument`, `BlockOrigin`).
 *
 * Unknown types and data stay unchanged.
 */
import { Result } from "effect"
import { isStorable } from "./Text.ts"
import {
  schemaVersion,
  type Block,
  type Data,
  type Document,
  type Fragment,
  type Inline,
  type Leaf,
  type Mark,
  type Node,
  type Text
} from "./Document.ts"
import * as WireDocument from "./wire/WireDocument.ts"
import * as AnsweredText from "./wire/WireText.ts"
import * as CodeLine from "./CodeLine.ts"
import * as DocumentText from "./DocumentText.ts"
import * as EmptyBlock from "./EmptyBlock.ts"
import * as BlockOrigin from "./integration-blocks/BlockOrigin.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import { DocumentSize, maxDepth } from "./DocumentSize.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { fieldNames } from "./vocabulary/Field.ts"
import { inlineTypes } from "./vocabulary/InlineTypes.ts"
import * as RequiredParts from "./vocabulary/RequiredParts.ts"

export interface InvalidDocument {
  /** Path in the document, such as `nodes[0].leaves[2].text`. Empty for the document itself. */
  readonly path: string
  readonly message: string
}

type Fields = { readonly [name: string]: unknown }

/** A list of the input to read, and the list to fill. */
interface ReadTask {
  readonly kind: "block" | "node" | "inline" | "leaf" | "mark" | "fragment"
  readonly input: ReadonlyArray<unknown>
  readonly output: Array<unknown>
  readonly path: PathSegment
  readonly depth: number
}

interface PathSegment {
  readonly name: string
  readonly parent: PathSegment | undefined
}

export const normalizeDocument = (value: unknown, nextKey: () => string): Result.Result<Document, InvalidDocument> => {
  const reader = new DocumentReader(nextKey)
  const document = reader.read(value)
  return reader.problem === undefined && document !== undefined
    ? Result.succeed(document)
    : Result.fail(reader.problem ?? { path: "", message: "Expected a document" })
}

class DocumentReader {
  problem: InvalidDocument | undefined
  readonly #nextKey: () => string
  readonly #keys = new Set<string>()
  readonly #blocksWithoutKey: Array<{ key: string }> = []
  readonly #tasks: Array<ReadTask> = []
  readonly #size = new DocumentSize()

  constructor(nextKey: () => string) {
    this.#nextKey = nextKey
  }

  read(value: unknown): Document | undefined {
    if (!isFields(value)) return this.#fail(undefined, "Expected a document object")
    if (value.object !== undefined && value.object !== "document") {
      return this.#fail(childPath(undefined, "object"), 'Expected "document"')
    }
    const data = this.#data(value.data, undefined, 0)
    const nodes: Array<Block> = []
    this.#list("block", value.nodes ?? [], nodes, childPath(undefined, "nodes"), 1)
    while (this.#tasks.length > 0 && this.problem === undefined) this.#readItems(this.#tasks.pop()!)
    // New keys are assigned last, so that none equals the key of a later block.
    for (const block of this.#blocksWithoutKey) block.key = this.#newKey()
    const version = Number.isInteger(data?.["schemaVersion"]) ? {} : { schemaVersion }
    return { object: "document", data: { schemaVersion, ...data, ...version }, nodes }
  }

  #readItems({ kind, input, output, path: parent, depth }: ReadTask): void {
    for (let i = 0; i < input.length && this.problem === undefined; i++) {
      const path = childPath(parent, String(i))
      const value = input[i]
      if (!isFields(value)) {
        this.#fail(path, `Expected a ${kind === "node" ? "block, text or inline" : kind} object`)
        return
      }
      if (!this.#checkLimit(this.#size.countNode())) return
      if (depth > maxDepth) {
        this.#fail(path, `A document nests at most ${maxDepth} deep`)
        return
      }
      const read = this.#item(kind, value, path, depth)
      if (read !== undefined) output.push(read)
    }
  }

  #item(kind: ReadTask["kind"], value: Fields, at: PathSegment, depth: number): unknown {
    if (kind === "leaf" || kind === "mark" || kind === "fragment") {
      if (value.object !== undefined && value.object !== kind)
        return this.#fail(childPath(at, "object"), `Expected "${kind}"`)
      return kind === "leaf"
        ? this.#leaf(value, at, depth)
        : kind === "mark"
          ? this.#mark(value, at, depth)
          : this.#fragment(value, at, depth)
    }
    const allowed = kind === "block" ? ["block"] : kind === "inline" ? ["text", "inline"] : ["block", "text", "inline"]
    if (typeof value.object !== "string" || !allowed.includes(value.object)) {
      return this.#fail(childPath(at, "object"), `Expected ${allowed.map((name) => `"${name}"`).join(" or ")}`)
    }
    return value.object === "block"
      ? this.#block(value, at, depth)
      : value.object === "text"
        ? this.#text(value, at, depth)
        : this.#inline(value, at, depth)
  }

  #block(wireBlock: Fields, at: PathSegment, depth: number): Block | undefined {
    const value = BlockOrigin.restoreOrigin(WireDocument.restoreBlock(wireBlock))
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const block: { key: string } & Omit<Block, "key"> = {
      object: "block",
      type,
      key: "",
      ...this.#common(value, at, depth, "node", RequiredParts.requiredBlockParts(type))
    }
    if (typeof value.key === "string" && value.key !== "" && !this.#keys.has(value.key)) {
      this.#string(value.key, childPath(at, "key"))
      block.key = value.key
      this.#keys.add(value.key)
    } else this.#blocksWithoutKey.push(block)
    // In responses, the block is a block of code, so each line counts as a node.
    if (blockSpec(type).wireType === "code" && !this.#countLines(block)) return undefined
    // Children are read later.
    if (!EmptyBlock.isParagraphMissing(type, Array.isArray(value.nodes) ? value.nodes : undefined)) return block
    const paragraph = { ...EmptyBlock.emptyParagraph("") }
    if (this.#checkLimit(this.#size.countNode())) this.#blocksWithoutKey.push(paragraph)
    return Object.assign(block, { nodes: [paragraph] })
  }

  #countLines(block: Block): boolean {
    return CodeLine.splitLines(DocumentText.ownLines(block).join("\n")).every(() =>
      this.#checkLimit(this.#size.countNode())
    )
  }

  #inline(value: Fields, at: PathSegment, depth: number): Inline | undefined {
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const parts = RequiredParts.requiredInlineParts(type)
    return { object: "inline", type, ...this.#ownKey(value, at), ...this.#common(value, at, depth, "inline", parts) }
  }

  #text(value: Fields, at: PathSegment, depth: number): Text {
    const leaves: Array<Leaf> = []
    this.#list("leaf", value.leaves, leaves, childPath(at, "leaves"), depth)
    return { object: "text", ...this.#ownKey(value, at), leaves }
  }

  #leaf(value: Fields, at: PathSegment, depth: number): Leaf | undefined {
    if (typeof value.text !== "string") return this.#fail(childPath(at, "text"), "Expected a string")
    this.#string(value.text, childPath(at, "text"))
    const marks: Array<Mark> = []
    this.#list("mark", value.marks ?? [], marks, childPath(at, "marks"), depth)
    return { object: "leaf", text: value.text, marks }
  }

  #mark(value: Fields, at: PathSegment, depth: number): Mark | undefined {
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const data = this.#data(value.data, at, depth)
    return { object: "mark", type, ...(data === undefined ? {} : { data }) }
  }

  #fragment(value: Fields, at: PathSegment, depth: number): Fragment {
    const nodes: Array<Block> = []
    this.#list("block", value.nodes ?? [], nodes, childPath(at, "nodes"), depth + 1)
    return {
      object: "fragment",
      ...this.#ownKey(value, at),
      ...this.#name(value, "fragment", at),
      ...this.#name(value, "type", at),
      nodes
    }
  }

  /** Reads the common fields of blocks and inlines. */
  #common(value: Fields, at: PathSegment, depth: number, children: "node" | "inline", required: RequiredParts.Parts) {
    const sentData = this.#data(value.data, at, depth)
    const data = required.data === undefined ? sentData : { ...required.data, ...sentData }
    const isVoid = typeof value.isVoid === "boolean" ? value.isVoid : required.isVoid
    if (value.isVoid !== undefined && typeof value.isVoid !== "boolean") {
      this.#fail(childPath(at, "isVoid"), "Expected true or false")
    }
    const nodes: Array<Node> = []
    if (value.nodes !== undefined) {
      const inlines = Array.isArray(value.nodes)
        ? AnsweredText.decodeInlines(value.nodes, AnsweredText.isCode(value))
        : value.nodes
      this.#list(children, inlines, nodes, childPath(at, "nodes"), depth + 1)
    }
    const fragments: Array<Fragment> = []
    if (value.fragments !== undefined) {
      this.#list("fragment", value.fragments, fragments, childPath(at, "fragments"), depth)
    }
    return {
      ...(data === undefined ? {} : { data }),
      ...(isVoid === undefined ? {} : { isVoid }),
      ...(value.nodes === undefined && required.nodes === undefined ? {} : { nodes: nodes as Array<Inline | Text> }),
      ...(value.fragments === undefined && required.fragments === undefined ? {} : { fragments })
    }
  }

  #type(value: Fields, at: PathSegment): string | undefined {
    if (typeof value.type !== "string" || value.type === "" || value.type.length > 256) {
      return this.#fail(childPath(at, "type"), "Expected the name of a type")
    }
    this.#string(value.type, childPath(at, "type"))
    return value.type
  }

  #ownKey(value: Fields, at: PathSegment): { readonly key?: string } {
    return this.#name(value, "key", at)
  }

  #name<Name extends string>(value: Fields, name: Name, at: PathSegment): { readonly [_ in Name]?: string } {
    const text = value[name]
    if (text === undefined) return {}
    if (typeof text !== "string") {
      this.#fail(childPath(at, name), "Expected a string")
      return {}
    }
    this.#string(text, childPath(at, name))
    return { [name]: text } as { readonly [_ in Name]?: string }
  }

  #list(kind: ReadTask["kind"], input: unknown, output: Array<unknown>, path: PathSegment, depth: number): void {
    if (!Array.isArray(input)) {
      this.#fail(path, "Expected an array")
      return
    }
    if (input.length > 0) this.#tasks.push({ kind, input, output, path, depth })
  }

  /** Checks data: size, depth, and references with invalid fields. Data stays unchanged. */
  #data(data: unknown, parent: PathSegment | undefined, depth: number): Data | undefined {
    if (data === undefined || data === null) return undefined
    const at = childPath(parent, "data")
    if (!isFields(data)) return this.#fail(at, "Expected an object")
    const pending: Array<{ readonly value: unknown; readonly at: PathSegment; readonly depth: number }> = [
      { value: data, at, depth }
    ]
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const { value } = entry
      if (!this.#checkLimit(this.#size.countNode())) return undefined
      if (entry.depth > maxDepth) return this.#fail(at, `A document nests at most ${maxDepth} deep`)
      if (typeof value === "string") this.#string(value, at)
      else if (typeof value === "object" && value !== null) {
        const invalidField = DocumentRefs.invalidFieldOf(
          value,
          entry.depth === depth + 1 && refFields.has(entry.at.name)
        )
        if (invalidField !== undefined) return this.#fail(childPath(entry.at, invalidField), "Expected a string")
        for (const [name, field] of Object.entries(value)) {
          this.#string(name, at)
          if (conversionMethods.has(name))
            return this.#fail(childPath(entry.at, name), "Expected no property of this name")
          pending.push({ value: field, at: childPath(entry.at, name), depth: entry.depth + 1 })
        }
      } else this.#size.countScalar()
      if (this.problem !== undefined) return undefined
    }
    return data
  }

  #string(text: string, at: PathSegment): void {
    // Text with NUL can't be stored, since bodies of pages are text without NUL.
    if (!isStorable(text)) this.#fail(at, "Expected well-formed text without NUL")
    this.#checkLimit(this.#size.countText(text))
  }

  /** Returns true if the size is within the limits. Otherwise records the problem. */
  #checkLimit(problem: string | undefined): boolean {
    if (problem !== undefined) this.#fail(undefined, problem)
    return problem === undefined
  }

  #newKey(): string {
    let key = this.#nextKey()
    while (this.#keys.has(key)) key = this.#nextKey()
    this.#keys.add(key)
    return key
  }

  #fail(at: PathSegment | undefined, message: string): undefined {
    this.problem ??= { path: formatPath(at), message }
    return undefined
  }
}

/** Methods that convert an object to a string. The conversion fails if such a property is not a function. */
const conversionMethods = new Set(["toString", "valueOf"])

/** Names of fields in the data of blocks, inlines and marks that hold a reference. */
const refFields: ReadonlySet<string> = new Set(
  [...Object.values(blockTypes), ...Object.values(inlineTypes)].flatMap(({ fields }) =>
    fieldNames(fields, ({ kind }) => kind === "ref")
  )
)

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const childPath = (parent: PathSegment | undefined, name: string): PathSegment => ({ name, parent })

const formatPath = (at: PathSegment | undefined): string => {
  const names: Array<string> = []
  for (let path = at; path !== undefined; path = path.parent) names.push(path.name)
  return names
    .reverse()
    .map((name, i) => (/^\d+$/.test(name) ? `[${name}]` : i === 0 ? name : `.${name}`))
    .join("")
}
