/**
 * The stored and response form of a document (see `WireDocument`). Between functions and threads a large document stays
 * JSON text (`ParsedOrJson`): sending 5 MB of JSON to a thread, which parses it, takes 3 ms, sending the parsed tree 70 ms.
 */
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Document } from "@lectern/document/Document"
import * as Documents from "@lectern/document/Document"
import { withNodes } from "@lectern/document/DocumentMapping"
import { Effect } from "effect"
import * as JsonText from "../../schema/JsonText.ts"
import { Slice } from "../../storage/Slice.ts"

export type ParsedOrJson<A extends object> = A | { readonly json: string }

/** A large object that stays JSON text. */
export class LargeJson {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

export type StoredDocument = ParsedOrJson<WireDocument.WireDocument>

/** Maximum length of JSON that is parsed outside of threads (characters). */
export const smallJson = 128 * 1024

export const empty: StoredDocument = WireDocument.encode(Documents.emptyDocument)

export const isSmall = <A extends object>(value: ParsedOrJson<A>): value is A => !("json" in value)

/** Returns the length of a large value (characters), and 0 for a small one (see `Computation`). */
export const lengthOf = (value: ParsedOrJson<object> | undefined): number =>
  value === undefined || isSmall(value) ? 0 : (value as { readonly json: string }).json.length

/** Parses a value that is not a document. Use `parseDocument` for documents. */
export const parseValue = <A extends object>(value: ParsedOrJson<A>): A =>
  isSmall(value) ? value : (JSON.parse((value as { readonly json: string }).json) as A)

/** Documents that `serializePrepared` prepared for storage: the parsed form and the JSON of each. */
let preparedForms = new WeakMap<StoredDocument, { readonly document: Document; readonly json: string }>()

/** Discards the cached forms of `serializePrepared`. The documents are parsed from their stored form afterwards. */
export const clearPrepared = () => {
  preparedForms = new WeakMap()
}

export const parseDocument = (document: StoredDocument): Document =>
  preparedForms.get(document)?.document ?? WireDocument.decode(parseValue(document))

/** Returns the stored form of a document. */
export const serialize = (document: Document): StoredDocument => {
  const response = WireDocument.encode(document)
  return storedForm(response, JSON.stringify(response))
}

/**
 * Returns the stored form of a document. Works in slices, one top-level block at a time, so that other fibers can run.
 */
export const serializeInSlices = Effect.fnUntraced(function* (document: Document): Effect.fn.Return<StoredDocument> {
  const slice = yield* Slice.start
  const nodes: Array<unknown> = []
  const texts: Array<string> = []
  for (const node of document.nodes) {
    const [storedNode] = WireDocument.encode(withNodes(document, [node])).nodes
    nodes.push(storedNode)
    texts.push(JSON.stringify(storedNode))
    if (slice.isOver()) yield* slice.pause
  }
  const { nodes: _, ...rest } = document
  const response = { ...rest, nodes } as unknown as WireDocument.WireDocument
  const envelope = JSON.stringify({ ...rest, nodes: [] })
  return storedForm(response, `${envelope.slice(0, -"]}".length)}${texts.join(",")}]}`)
})

/**
 * Returns the stored form of a document that is stored next. `parseDocument` and `jsonText` of the result return cached
 * values. The result takes three times the memory, until it is unreferenced or `clearPrepared` is called.
 */
export const serializePrepared = (document: Document): StoredDocument => {
  const response = WireDocument.encode(document)
  const json = JSON.stringify(response)
  const storedDocument = storedForm(response, json)
  preparedForms.set(storedDocument, { document, json })
  return storedDocument
}

/** Returns true for a result of `serializePrepared`, which has only stored fields. */
export const isPrepared = (document: StoredDocument): boolean => preparedForms.has(document)

/** Returns the stored form of a document without fields that the hosted service's vocabulary lacks. */
export const serializeHosted = (document: Document): StoredDocument => {
  const response = WireDocument.encodeWithoutWritten(document)
  return storedForm(response, JSON.stringify(response))
}

const storedForm = (response: WireDocument.WireDocument, json: string): StoredDocument =>
  json.length <= smallJson ? response : new LargeJson(json)

/** Returns true for a small document without content and attributes. */
export const isEmpty = (document: StoredDocument): boolean => {
  if (!isSmall(document) || document.nodes.length > 0) return false
  const { data, nodes } = parseDocument(document)
  return nodes.length === 0 && Object.keys(data).every((name) => name === "schemaVersion")
}

/** Returns the document for a response. A large document is parsed when it is read. */
export const toResponse = (document: StoredDocument): WireDocument.WireDocument =>
  isSmall(document) ? document : JsonText.lazyObject(document.json, ["object", "data", "nodes"])

/** Returns the stored JSON of a document. */
export const jsonOf = (document: Document): string => JSON.stringify(WireDocument.encode(document))

/** Returns the JSON of a stored document. */
export const jsonText = (document: StoredDocument): string =>
  isSmall(document) ? (preparedForms.get(document)?.json ?? JSON.stringify(document)) : document.json

/** Returns a document that cannot be printed as Markdown with its JSON as a code block. */
export const jsonCodeBlock = (document: StoredDocument): string => `\`\`\`json\n${jsonText(document)}\n\`\`\`\n`
