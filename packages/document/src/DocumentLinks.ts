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
import { isRef, refsInCells } from "./DocumentRefs.ts"
import * as DocumentAnchors from "./DocumentAnchors.ts"
import * as RefUrl from "./markdown/RefUrl.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { inlineSpec, inlineTypes } from "./vocabulary/InlineTypes.ts"

/** `dependsOn`: the target is displayed in place (an image or an include); `reference`: a link to the target. */
export type Relation = "reference" | "dependsOn"

const dependentFlag = 1
const unconditionalFlag = 2

/**
 * - `node`: key of the block. Empty for references outside of the document.
 * - `flags`: sum of flags. 1 = depends on the target; 2 = at least one occurrence is outside every condition.
 *
 * Links that were stored before the flag 2 existed lack it.
 */
export type DocumentLink = readonly [url: string, node: string, flags?: number]

export const relationOf = ([, , flags = 0]: DocumentLink): Relation =>
  (flags & dependentFlag) === 0 ? "reference" : "dependsOn"

/** Returns true if every reader of the page sees the link. Otherwise the document determines who sees it. */
export const isUnconditional = ([, , flags = 0]: DocumentLink): boolean => (flags & unconditionalFlag) !== 0

/**
 * A variable that an expression in the text reads: `space.vars.version` is `space.version`. A variable that is read
 * only within conditions starts with `?`.
 */
export type DocumentVariable = string

export const isConditionalVariable = (variable: DocumentVariable): boolean => variable.startsWith("?")

export interface DocumentLinks {
  /** Serialized anchors of headings and titles (see `DocumentAnchors`). */
  readonly anchors: ReadonlyArray<string>
  readonly variables: ReadonlyArray<DocumentVariable>
  /** Links in document order. */
  readonly links: ReadonlyArray<DocumentLink>
}

/** References of a page outside of its document. */
export interface PageReferences {
  readonly target?: ContentRef
  readonly cover?: { readonly ref?: ContentRef; readonly refDark?: ContentRef }
}

export const noLinks: DocumentLinks = { anchors: [], variables: [], links: [] }

/** Types of blocks and inlines that display the target of a reference. */
const embeddingTypes: ReadonlySet<string> = new Set(
  [...Object.entries(blockTypes), ...Object.entries(inlineTypes)].flatMap(([type, { fields }]) =>
    Object.values(fields).some(({ isDependency }) => isDependency === true) ? [type] : []
  )
)

/** Location of a reference: key of the block, and whether a condition encloses it. */
interface ReferenceLocation {
  readonly node: string
  readonly isConditional: boolean
}

const pageLocation: ReferenceLocation = { node: "", isConditional: false }

class LinkCollector {
  readonly #links = new Map<string, DocumentLink>()
  /** Variables by name. True if at least one use is outside every condition. */
  readonly #variables = new Map<string, boolean>()

  readonly addExpression = (expression: unknown, { isConditional }: ReferenceLocation): void => {
    const tree = typeof expression === "string" ? Condition.parseExpression(expression) : undefined
    if (tree === undefined || Result.isFailure(tree)) return
    for (const { of, name } of ConditionEvaluation.variablesOf(tree.success)) {
      const variable = `${of}.${name}`
      this.#variables.set(variable, this.#variables.get(variable) === true || !isConditional)
    }
  }

  readonly add = (ref: ContentRef, relation: Relation, { node, isConditional }: ReferenceLocation): void => {
    const flags = (relation === "dependsOn" ? dependentFlag : 0) + (isConditional ? 0 : unconditionalFlag)
    const url = RefUrl.toUrl(ref)
    this.addLink(flags === 0 ? [url, node] : [url, node, flags])
  }

  addLink(link: DocumentLink): void {
    const key = `${relationOf(link)} ${link[0]}`
    const existing = this.#links.get(key)
    if (existing === undefined) this.#links.set(key, link)
    else if (!isUnconditional(existing) && isUnconditional(link))
      this.#links.set(key, [existing[0], existing[1], link[2]!])
  }

  get links(): ReadonlyArray<DocumentLink> {
    return [...this.#links.values()]
  }

  get variables(): ReadonlyArray<DocumentVariable> {
    return [...this.#variables].map(([name, isForAll]) => (isForAll ? name : `?${name}`))
  }
}

export const linksOf = (document: Document): DocumentLinks => {
  const collector = new LinkCollector()
  for (const block of document.nodes) visitElement(block, { node: block.key, isConditional: false }, collector)
  return {
    anchors: DocumentAnchors.serializedAnchors(document),
    variables: collector.variables,
    links: collector.links
  }
}

/** Returns the links with the references outside of the document added, which come first. */
export const withPageReferences = (links: DocumentLinks, { target, cover }: PageReferences): DocumentLinks => {
  const refs = [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)
  if (target === undefined && refs.length === 0) return links
  const collector = new LinkCollector()
  if (target !== undefined) collector.add(target, "reference", pageLocation)
  // A cover displays only files and URLs, so any other reference is no dependency.
  for (const ref of refs)
    collector.add(ref, ref.kind === "file" || ref.kind === "url" ? "dependsOn" : "reference", pageLocation)
  for (const link of links.links) collector.addLink(link)
  return { ...links, links: collector.links }
}

/**
 * Serializes links to one string, which loads much faster than many strings: a line of anchors, one of variables, then
 * one per link. Undefined if a value contains a line feed or tab.
 */
export const serializeLinks = ({ anchors, variables, links }: DocumentLinks): string | undefined => {
  const lines = [anchors, variables, ...links]
  const tabs = lines.reduce((sum, fields) => sum + Math.max(0, fields.length - 1), 0)
  const text = lines.map((fields) => fields.join("\t")).join("\n")
  return text.split("\n").length === lines.length && text.split("\t").length === tabs + 1 ? text : undefined
}

const fieldsOf = (line: string) => (line === "" ? [] : line.split("\t"))

export const parseLinks = (text: string): DocumentLinks => {
  const [anchors = "", variables = "", ...lines] = text.split("\n")
  return {
    anchors: fieldsOf(anchors),
    variables: fieldsOf(variables),
    links: lines.map((line): DocumentLink => {
      const [url = "", node = "", flags] = line.split("\t")
      return flags === undefined ? [url, node] : [url, node, Number(flags)]
    })
  }
}

// Documents are at most 100 levels deep, so the call stack cannot overflow.
const visitElement = (
  node: Exclude<Node, { readonly object: "text" }>,
  location: ReferenceLocation,
  collector: LinkCollector
): void => {
  for (const ref of refsInCells(node)) collector.add(ref, "reference", location)
  if (node.object === "inline" && inlineSpec(node.type).evaluation === "value")
    collector.addExpression(node.data?.expression, location)
  if (node.data !== undefined)
    visitData(node.data, embeddingTypes.has(node.type) ? "dependsOn" : "reference", location, collector)
  const isConditional =
    location.isConditional || (node.object === "block" && blockSpec(node.type).evaluation === "choice")
  for (const child of node.nodes ?? []) {
    visitNode(child, isConditional === location.isConditional ? location : { ...location, isConditional }, collector)
  }
  for (const fragment of node.fragments ?? []) visitFragment(fragment, isConditional, collector)
}

const visitNode = (node: Node, location: ReferenceLocation, collector: LinkCollector): void => {
  if (node.object !== "text")
    return visitElement(node, node.object === "block" ? { ...location, node: node.key } : location, collector)
  for (const { marks: flags } of node.leaves)
    for (const { data } of flags) if (data) visitData(data, "reference", location, collector)
}

const visitFragment = ({ nodes }: Fragment, isConditional: boolean, collector: LinkCollector): void => {
  for (const block of nodes as ReadonlyArray<Block>) visitElement(block, { node: block.key, isConditional }, collector)
}

const visitData = (
  value: Data | ReadonlyArray<unknown>,
  relation: Relation,
  location: ReferenceLocation,
  collector: LinkCollector
): void => {
  if (isRef(value)) return collector.add(value, relation, location)
  for (const field of Object.values(value)) {
    if (typeof field === "object" && field !== null) visitData(field as Data, relation, location, collector)
  }
}
