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
import * as BlockOrigin from "./overlay/BlockOrigin.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import { DocumentSize, maxDepth } from "./DocumentSize.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { namesOf } from "./vocabulary/Field.ts"
import { inlineTypes } from "./vocabulary/InlineTypes.ts"
import * as RequiredParts from "./vocabulary/RequiredParts.ts"

export interface InvalidDocument {
  /** Path in the document, such as `nodes[0].leaves[2].text`. Empty for the document itself. */
  readonly path: string
  readonly message: string
}

type Fields = { readonly [name: string]: unknown }

/** A list of the input to read, and the list to fill. */
interface Task {
  readonly kind: "block" | "node" | "inline" | "leaf" | "mark" | "fragment"
  readonly from: ReadonlyArray<unknown>
  readonly into: Array<unknown>
  readonly at: Path
  readonly depth: number
}

interface Path {
  readonly name: string
  readonly parent: Path | undefined
}

export const normalise = (value: unknown, nextKey: () => string): Result.Result<Document, InvalidDocument> => {
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
  readonly #unkeyed: Array<{ key: string }> = []
  readonly #tasks: Array<Task> = []
  readonly #size = new DocumentSize()

  constructor(nextKey: () => string) {
    this.#nextKey = nextKey
  }

  read(value: unknown): Document | undefined {
    if (!isFields(value)) return this.#fail(undefined, "Expected a document object")
    if (value.object !== undefined && value.object !== "document") {
      return this.#fail(below(undefined, "object"), 'Expected "document"')
    }
    const data = this.#data(value.data, undefined, 0)
    const nodes: Array<Block> = []
    this.#list("block", value.nodes ?? [], nodes, below(undefined, "nodes"), 1)
    while (this.#tasks.length > 0 && this.problem === undefined) this.#run(this.#tasks.pop()!)
    // New keys are assigned last, so that none equals the key of a later block.
    for (const block of this.#unkeyed) block.key = this.#newKey()
    const version = Number.isInteger(data?.["schemaVersion"]) ? {} : { schemaVersion }
    return { object: "document", data: { schemaVersion, ...data, ...version }, nodes }
  }

  #run({ kind, from, into, at, depth }: Task): void {
    for (let i = 0; i < from.length && this.problem === undefined; i++) {
      const path = below(at, String(i))
      const value = from[i]
      if (!isFields(value)) {
        this.#fail(path, `Expected a ${kind === "node" ? "block, text or inline" : kind} object`)
        return
      }
      if (!this.#isWithin(this.#size.countNode())) return
      if (depth > maxDepth) {
        this.#fail(path, `A document nests at most ${maxDepth} deep`)
        return
      }
      const read = this.#item(kind, value, path, depth)
      if (read !== undefined) into.push(read)
    }
  }

  #item(kind: Task["kind"], value: Fields, at: Path, depth: number): unknown {
    if (kind === "leaf" || kind === "mark" || kind === "fragment") {
      if (value.object !== undefined && value.object !== kind)
        return this.#fail(below(at, "object"), `Expected "${kind}"`)
      return kind === "leaf"
        ? this.#leaf(value, at, depth)
        : kind === "mark"
          ? this.#mark(value, at, depth)
          : this.#fragment(value, at, depth)
    }
    const allowed = kind === "block" ? ["block"] : kind === "inline" ? ["text", "inline"] : ["block", "text", "inline"]
    if (typeof value.object !== "string" || !allowed.includes(value.object)) {
      return this.#fail(below(at, "object"), `Expected ${allowed.map((name) => `"${name}"`).join(" or ")}`)
    }
    return value.object === "block"
      ? this.#block(value, at, depth)
      : value.object === "text"
        ? this.#text(value, at, depth)
        : this.#inline(value, at, depth)
  }

  #block(sent: Fields, at: Path, depth: number): Block | undefined {
    const value = BlockOrigin.stored(WireDocument.restoreBlock(sent))
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const block: { key: string } & Omit<Block, "key"> = {
      object: "block",
      type,
      key: "",
      ...this.#common(value, at, depth, "node", RequiredParts.ofBlock(type))
    }
    if (typeof value.key === "string" && value.key !== "" && !this.#keys.has(value.key)) {
      this.#string(value.key, below(at, "key"))
      block.key = value.key
      this.#keys.add(value.key)
    } else this.#unkeyed.push(block)
    // In responses, the block is a block of code, so each line counts as a node.
    if (blockSpec(type).nearest === "code" && !this.#countLines(block)) return undefined
    // Children are read later.
    if (!EmptyBlock.isMissing(type, Array.isArray(value.nodes) ? value.nodes : undefined)) return block
    const paragraph = { ...EmptyBlock.paragraph("") }
    if (this.#isWithin(this.#size.countNode())) this.#unkeyed.push(paragraph)
    return Object.assign(block, { nodes: [paragraph] })
  }

  #countLines(block: Block): boolean {
    return CodeLine.split(DocumentText.ownLines(block).join("\n")).every(() => this.#isWithin(this.#size.countNode()))
  }

  #inline(value: Fields, at: Path, depth: number): Inline | undefined {
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const parts = RequiredParts.ofInline(type)
    return { object: "inline", type, ...this.#ownKey(value, at), ...this.#common(value, at, depth, "inline", parts) }
  }

  #text(value: Fields, at: Path, depth: number): Text {
    const leaves: Array<Leaf> = []
    this.#list("leaf", value.leaves, leaves, below(at, "leaves"), depth)
    return { object: "text", ...this.#ownKey(value, at), leaves }
  }

  #leaf(value: Fields, at: Path, depth: number): Leaf | undefined {
    if (typeof value.text !== "string") return this.#fail(below(at, "text"), "Expected a string")
    this.#string(value.text, below(at, "text"))
    const marks: Array<Mark> = []
    this.#list("mark", value.marks ?? [], marks, below(at, "marks"), depth)
    return { object: "leaf", text: value.text, marks }
  }

  #mark(value: Fields, at: Path, depth: number): Mark | undefined {
    const type = this.#type(value, at)
    if (type === undefined) return undefined
    const data = this.#data(value.data, at, depth)
    return { object: "mark", type, ...(data === undefined ? {} : { data }) }
  }

  #fragment(value: Fields, at: Path, depth: number): Fragment {
    const nodes: Array<Block> = []
    this.#list("block", value.nodes ?? [], nodes, below(at, "nodes"), depth + 1)
    return {
      object: "fragment",
      ...this.#ownKey(value, at),
      ...this.#name(value, "fragment", at),
      ...this.#name(value, "type", at),
      nodes
    }
  }

  /** Reads the common fields of blocks and inlines. */
  #common(value: Fields, at: Path, depth: number, children: "node" | "inline", required: RequiredParts.Parts) {
    const given = this.#data(value.data, at, depth)
    const data = required.data === undefined ? given : { ...required.data, ...given }
    const isVoid = typeof value.isVoid === "boolean" ? value.isVoid : required.isVoid
    if (value.isVoid !== undefined && typeof value.isVoid !== "boolean") {
      this.#fail(below(at, "isVoid"), "Expected true or false")
    }
    const nodes: Array<Node> = []
    if (value.nodes !== undefined) {
      const sent = Array.isArray(value.nodes)
        ? AnsweredText.decodeInlines(value.nodes, AnsweredText.isCode(value))
        : value.nodes
      this.#list(children, sent, nodes, below(at, "nodes"), depth + 1)
    }
    const fragments: Array<Fragment> = []
    if (value.fragments !== undefined) {
      this.#list("fragment", value.fragments, fragments, below(at, "fragments"), depth)
    }
    return {
      ...(data === undefined ? {} : { data }),
      ...(isVoid === undefined ? {} : { isVoid }),
      ...(value.nodes === undefined && required.nodes === undefined ? {} : { nodes: nodes as Array<Inline | Text> }),
      ...(value.fragments === undefined && required.fragments === undefined ? {} : { fragments })
    }
  }

  #type(value: Fields, at: Path): string | undefined {
    if (typeof value.type !== "string" || value.type === "" || value.type.length > 256) {
      return this.#fail(below(at, "type"), "Expected the name of a type")
    }
    this.#string(value.type, below(at, "type"))
    return value.type
  }

  #ownKey(value: Fields, at: Path): { readonly key?: string } {
    return this.#name(value, "key", at)
  }

  #name<Name extends string>(value: Fields, name: Name, at: Path): { readonly [_ in Name]?: string } {
    const given = value[name]
    if (given === undefined) return {}
    if (typeof given !== "string") {
      this.#fail(below(at, name), "Expected a string")
      return {}
    }
    this.#string(given, below(at, name))
    return { [name]: given } as { readonly [_ in Name]?: string }
  }

  #list(kind: Task["kind"], from: unknown, into: Array<unknown>, at: Path, depth: number): void {
    if (!Array.isArray(from)) {
      this.#fail(at, "Expected an array")
      return
    }
    if (from.length > 0) this.#tasks.push({ kind, from, into, at, depth })
  }

  /** Checks data: size, depth, and references with invalid fields. Data stays unchanged. */
  #data(data: unknown, parent: Path | undefined, depth: number): Data | undefined {
    if (data === undefined || data === null) return undefined
    const at = below(parent, "data")
    if (!isFields(data)) return this.#fail(at, "Expected an object")
    const open: Array<{ readonly value: unknown; readonly at: Path; readonly depth: number }> = [
      { value: data, at, depth }
    ]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { value } = next
      if (!this.#isWithin(this.#size.countNode())) return undefined
      if (next.depth > maxDepth) return this.#fail(at, `A document nests at most ${maxDepth} deep`)
      if (typeof value === "string") this.#string(value, at)
      else if (typeof value === "object" && value !== null) {
        const wrong = DocumentRefs.wrongFieldOf(value, next.depth === depth + 1 && refNames.has(next.at.name))
        if (wrong !== undefined) return this.#fail(below(next.at, wrong), "Expected a string")
        for (const [name, field] of Object.entries(value)) {
          this.#string(name, at)
          if (conversions.has(name)) return this.#fail(below(next.at, name), "Expected no property of this name")
          open.push({ value: field, at: below(next.at, name), depth: next.depth + 1 })
        }
      } else this.#size.countScalar()
      if (this.problem !== undefined) return undefined
    }
    return data
  }

  #string(text: string, at: Path): void {
    // Text with NUL can't be stored, since bodies of pages are text without NUL.
    if (!isStorable(text)) this.#fail(at, "Expected well-formed text without NUL")
    this.#isWithin(this.#size.countText(text))
  }

  /** Returns true if the size is within the limits. Otherwise records the problem. */
  #isWithin(problem: string | undefined): boolean {
    if (problem !== undefined) this.#fail(undefined, problem)
    return problem === undefined
  }

  #newKey(): string {
    let key = this.#nextKey()
    while (this.#keys.has(key)) key = this.#nextKey()
    this.#keys.add(key)
    return key
  }

  #fail(at: Path | undefined, message: string): undefined {
    this.problem ??= { path: render(at), message }
    return undefined
  }
}

/** Methods that convert an object to a string. The conversion fails if such a property is not a function. */
const conversions = new Set(["toString", "valueOf"])

/** Names of fields in the data of blocks, inlines and marks that hold a reference. */
const refNames: ReadonlySet<string> = new Set(
  [...Object.values(blockTypes), ...Object.values(inlineTypes)].flatMap(({ fields }) =>
    namesOf(fields, ({ kind }) => kind === "ref")
  )
)

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const below = (parent: Path | undefined, name: string): Path => ({ name, parent })

const render = (at: Path | undefined): string => {
  const names: Array<string> = []
  for (let path = at; path !== undefined; path = path.parent) names.push(path.name)
  return names
    .reverse()
    .map((name, i) => (/^\d+$/.test(name) ? `[${name}]` : i === 0 ? name : `.${name}`))
    .join("")
}
