/**
 * Links of a document, or of a page including its cover and link target: the references, the anchors, and the variables
 * in the text. They are small enough to be stored for every page, so that code that needs links does not read
 * documents.
 *
 * A reference is stored as its Markdown URL (see `RefUrl`), once for each relation, with the first block that contains
 * it.
 */
import { Result } from "effect"
import * as Condition from "./condition/Condition.ts"
import * as ConditionEvaluation from "./condition/ConditionEvaluation.ts"
import type { Block, ContentRef, Data, Document, Fragment, Node } from "./Document.ts"
import { isRef, namedBy } from "./DocumentRefs.ts"
import * as DocumentAnchors from "./DocumentAnchors.ts"
import * as RefUrl from "./markdown/RefUrl.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { inlineSpec, inlineTypes } from "./vocabulary/InlineTypes.ts"

/** `dependsOn`: the target is displayed in place (an image or an include); `reference`: a link to the target. */
export type Relation = "reference" | "dependsOn"

const dependent = 1
const unconditional = 2

/**
 * - `node`: key of the block. Empty for references outside of the document.
 * - `marks`: sum of flags. 1 = depends on the target; 2 = at least one occurrence is outside every condition.
 *
 * Links that were stored before the flag 2 existed lack it.
 */
export type DocumentLink = readonly [url: string, node: string, marks?: number]

export const relationOf = ([, , marks = 0]: DocumentLink): Relation =>
  (marks & dependent) === 0 ? "reference" : "dependsOn"

/** Returns true if every reader of the page sees the link. Otherwise the document determines who sees it. */
export const isForAll = ([, , marks = 0]: DocumentLink): boolean => (marks & unconditional) !== 0

/**
 * A variable that an expression in the text reads: `space.vars.version` is `space.version`. A variable that is read
 * only within conditions starts with `?`.
 */
export type DocumentVariable = string

export const isWithinConditions = (variable: DocumentVariable): boolean => variable.startsWith("?")

export interface DocumentLinks {
  /** Serialized anchors of headings and titles (see `DocumentAnchors`). */
  readonly anchors: ReadonlyArray<string>
  readonly variables: ReadonlyArray<DocumentVariable>
  /** Links in document order. */
  readonly links: ReadonlyArray<DocumentLink>
}

/** References of a page outside of its document. */
export interface Beside {
  readonly target?: ContentRef
  readonly cover?: { readonly ref?: ContentRef; readonly refDark?: ContentRef }
}

export const none: DocumentLinks = { anchors: [], variables: [], links: [] }

/** Types of blocks and inlines that display the target of a reference. */
const showing: ReadonlySet<string> = new Set(
  [...Object.entries(blockTypes), ...Object.entries(inlineTypes)].flatMap(([type, { fields }]) =>
    Object.values(fields).some(({ isDependency }) => isDependency === true) ? [type] : []
  )
)

/** Location of a reference: key of the block, and whether a condition encloses it. */
interface Location {
  readonly node: string
  readonly isConditional: boolean
}

const beside: Location = { node: "", isConditional: false }

class Found {
  readonly #links = new Map<string, DocumentLink>()
  /** Variables by name. True if at least one use is outside every condition. */
  readonly #variables = new Map<string, boolean>()

  readonly addExpression = (expression: unknown, { isConditional }: Location): void => {
    const tree = typeof expression === "string" ? Condition.parseExpression(expression) : undefined
    if (tree === undefined || Result.isFailure(tree)) return
    for (const { of, name } of ConditionEvaluation.variablesOf(tree.success)) {
      const variable = `${of}.${name}`
      this.#variables.set(variable, this.#variables.get(variable) === true || !isConditional)
    }
  }

  readonly add = (ref: ContentRef, relation: Relation, { node, isConditional }: Location): void => {
    const marks = (relation === "dependsOn" ? dependent : 0) + (isConditional ? 0 : unconditional)
    const url = RefUrl.toUrl(ref)
    this.put(marks === 0 ? [url, node] : [url, node, marks])
  }

  put(link: DocumentLink): void {
    const key = `${relationOf(link)} ${link[0]}`
    const known = this.#links.get(key)
    if (known === undefined) this.#links.set(key, link)
    else if (!isForAll(known) && isForAll(link)) this.#links.set(key, [known[0], known[1], link[2]!])
  }

  get all(): ReadonlyArray<DocumentLink> {
    return [...this.#links.values()]
  }

  get variables(): ReadonlyArray<DocumentVariable> {
    return [...this.#variables].map(([name, isForAll]) => (isForAll ? name : `?${name}`))
  }
}

export const of = (document: Document): DocumentLinks => {
  const found = new Found()
  for (const block of document.nodes) visit(block, { node: block.key, isConditional: false }, found)
  return {
    anchors: DocumentAnchors.packed(document),
    variables: found.variables,
    links: found.all
  }
}

/** Returns the links with the references outside of the document added, which come first. */
export const withBeside = (links: DocumentLinks, { target, cover }: Beside): DocumentLinks => {
  const refs = [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)
  if (target === undefined && refs.length === 0) return links
  const found = new Found()
  if (target !== undefined) found.add(target, "reference", beside)
  // A cover displays only files and URLs, so any other reference is no dependency.
  for (const ref of refs) found.add(ref, ref.kind === "file" || ref.kind === "url" ? "dependsOn" : "reference", beside)
  for (const link of links.links) found.put(link)
  return { ...links, links: found.all }
}

/**
 * Serializes links to one string, which loads much faster than many strings: a line of anchors, one of variables, then
 * one per link. Undefined if a value contains a line feed or tab.
 */
export const pack = ({ anchors, variables, links }: DocumentLinks): string | undefined => {
  const lines = [anchors, variables, ...links]
  const tabs = lines.reduce((sum, fields) => sum + Math.max(0, fields.length - 1), 0)
  const text = lines.map((fields) => fields.join("\t")).join("\n")
  return text.split("\n").length === lines.length && text.split("\t").length === tabs + 1 ? text : undefined
}

const fieldsOf = (line: string) => (line === "" ? [] : line.split("\t"))

export const unpack = (text: string): DocumentLinks => {
  const [anchors = "", variables = "", ...lines] = text.split("\n")
  return {
    anchors: fieldsOf(anchors),
    variables: fieldsOf(variables),
    links: lines.map((line): DocumentLink => {
      const [url = "", node = "", marks] = line.split("\t")
      return marks === undefined ? [url, node] : [url, node, Number(marks)]
    })
  }
}

// Documents are at most 100 levels deep, so the recursion is bounded.
const visit = (node: Exclude<Node, { readonly object: "text" }>, location: Location, found: Found): void => {
  for (const ref of namedBy(node)) found.add(ref, "reference", location)
  if (node.object === "inline" && inlineSpec(node.type).evaluates === "value")
    found.addExpression(node.data?.expression, location)
  if (node.data !== undefined) visitData(node.data, showing.has(node.type) ? "dependsOn" : "reference", location, found)
  const isConditional =
    location.isConditional || (node.object === "block" && blockSpec(node.type).evaluates === "choice")
  for (const child of node.nodes ?? []) {
    visitNode(child, isConditional === location.isConditional ? location : { ...location, isConditional }, found)
  }
  for (const fragment of node.fragments ?? []) visitFragment(fragment, isConditional, found)
}

const visitNode = (node: Node, location: Location, found: Found): void => {
  if (node.object !== "text")
    return visit(node, node.object === "block" ? { ...location, node: node.key } : location, found)
  for (const { marks } of node.leaves)
    for (const { data } of marks) if (data) visitData(data, "reference", location, found)
}

const visitFragment = ({ nodes }: Fragment, isConditional: boolean, found: Found): void => {
  for (const block of nodes as ReadonlyArray<Block>) visit(block, { node: block.key, isConditional }, found)
}

const visitData = (
  value: Data | ReadonlyArray<unknown>,
  relation: Relation,
  location: Location,
  found: Found
): void => {
  if (isRef(value)) return found.add(value, relation, location)
  for (const field of Object.values(value)) {
    if (typeof field === "object" && field !== null) visitData(field as Data, relation, location, found)
  }
}
