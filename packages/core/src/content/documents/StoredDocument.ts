/**
 * A document as it is stored and answered (see `Answered`), and as it goes about: where it may be large (`Folded`),
 * as the JSON that is stored of it. JSON of 5 MB goes to a thread in 3 ms and is unfolded there; a tree of it would
 * take 70.
 */
import * as Answered from "@lectern/document/answered/Answered"
import type { Document } from "@lectern/document/Document"
import * as Documents from "@lectern/document/Document"
import { withNodes } from "@lectern/document/DocumentMapping"
import { Effect } from "effect"
import * as JsonText from "../../schema/JsonText.ts"
import { Slice } from "../../storage/Slice.ts"

export type Folded<A extends object> = A | { readonly json: string }

/** A large object, which is kept as its text. */
export class Large {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

export type StoredDocument = Folded<Answered.Answered>

/** JSON of more characters than this is unfolded where nobody waits for it. */
export const smallJson = 128 * 1024

export const empty: StoredDocument = Answered.write(Documents.empty)

export const isSmall = <A extends object>(value: Folded<A>): value is A => !("json" in value)

/** Length of what is large, in characters (see `Computation`). */
export const lengthOf = (value: Folded<object> | undefined): number =>
  value === undefined || isSmall(value) ? 0 : (value as { readonly json: string }).json.length

/** Anything but a document, which is opened. */
export const unfold = <A extends object>(value: Folded<A>): A =>
  isSmall(value) ? value : (JSON.parse((value as { readonly json: string }).json) as A)

/** Documents that were folded to be stored, as they were before, and their JSON. */
let made = new WeakMap<StoredDocument, { readonly document: Document; readonly json: string }>()

/** Lets go of what `foldToStore` keeps beside its documents: those that are there are read of their stored form then. */
export const forgetMade = () => {
  made = new WeakMap()
}

export const open = (document: StoredDocument): Document =>
  made.get(document)?.document ?? Answered.read(unfold(document))

/** For who hands it on. */
export const fold = (document: Document): StoredDocument => {
  const answered = Answered.write(document)
  return folded(answered, JSON.stringify(answered))
}

/** The same in slices, block by block of the outermost, for who made it where others wait. */
export const foldInSlices = Effect.fnUntraced(function* (document: Document): Effect.fn.Return<StoredDocument> {
  const slice = yield* Slice.start
  const nodes: Array<unknown> = []
  const texts: Array<string> = []
  for (const node of document.nodes) {
    const [written] = Answered.write(withNodes(document, [node])).nodes
    nodes.push(written)
    texts.push(JSON.stringify(written))
    if (slice.isOver()) yield* slice.pause
  }
  const { nodes: _, ...rest } = document
  const answered = { ...rest, nodes } as unknown as Answered.Answered
  const around = JSON.stringify({ ...rest, nodes: [] })
  return folded(answered, `${around.slice(0, -"]}".length)}${texts.join(",")}]}`)
})

/**
 * The same for who stores it next: to open it, and to ask for its JSON, takes no time then. Takes three times the memory
 * for as long as it is there, or until `forgetMade`.
 */
export const foldToStore = (document: Document): StoredDocument => {
  const answered = Answered.write(document)
  const json = JSON.stringify(answered)
  const stored = folded(answered, json)
  made.set(stored, { document, json })
  return stored
}

/** True of one that was folded so, and has no fields but those that it is stored with. */
export const isMade = (document: StoredDocument): boolean => made.has(document)

/** The same without what stands beside the vocabulary's own. */
export const bare = (document: Document): StoredDocument => {
  const answered = Answered.bare(document)
  return folded(answered, JSON.stringify(answered))
}

const folded = (answered: Answered.Answered, json: string): StoredDocument =>
  json.length <= smallJson ? answered : new Large(json)

/** True of one that says nothing at all, where it is small. */
export const isEmpty = (document: StoredDocument): boolean => {
  if (!isSmall(document) || document.nodes.length > 0) return false
  const { data, nodes } = open(document)
  return nodes.length === 0 && Object.keys(data).every((name) => name === "schemaVersion")
}

/** The document as an answer of its own: one that is large is unfolded when it is read. */
export const answer = (document: StoredDocument): Answered.Answered =>
  isSmall(document) ? document : JsonText.lazyObject(document.json, ["object", "data", "nodes"])

/** The text that is stored of a document. */
export const jsonOf = (document: Document): string => JSON.stringify(Answered.write(document))

/** The same of one that is stored. */
export const jsonText = (document: StoredDocument): string =>
  isSmall(document) ? (made.get(document)?.json ?? JSON.stringify(document)) : document.json

/** Markdown of a document that can't be printed, which says what it holds: its JSON, as code. */
export const asJson = (document: StoredDocument): string => `\`\`\`json\n${jsonText(document)}\n\`\`\`\n`
