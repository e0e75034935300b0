/**
 * Converts documents for responses in spaces with integrations that render blocks. Code in a language of an integration
 * and embeds of its URLs become blocks of the integration while it is installed. The stored document and its Markdown
 * do not change (see `BlockOrigin`).
 *
 * Code with anything but plain text stays code, and an embed with a caption stays an embed. Content from other systems
 * may contain a block of an unavailable integration whose name equals the language of an available block. The block
 * becomes that available block if it has the block's body as a property.
 */
import type { Block, Data, Document } from "../Document.ts"
import { flatMapList, mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { isRef } from "../DocumentRefs.ts"
import * as DocumentText from "../DocumentText.ts"
import * as FenceMeta from "../markdown/FenceMeta.ts"
import { type FencedBlock, linesOf, type Origin, textOf } from "./BlockOrigin.ts"
import * as UrlPattern from "./UrlPattern.ts"

/** A block that an integration renders, which is active in a space. */
export interface DrawnBlock extends Omit<FencedBlock, "fence"> {
  readonly fence?: FencedBlock["fence"]
  /** Patterns of the URLs that the block renders (see `UrlPattern`). */
  readonly urls: ReadonlyArray<string>
}

/** A link that a block renders. */
export interface DrawnLink {
  readonly integration: string
  readonly block: string
  readonly url: string
}

/**
 * Results of the integrations' programs for links, by `linkKey`: the properties of the block, or null if the program
 * did not accept the link.
 */
export type KnownLinks = ReadonlyMap<string, Data | null>

export const linkKey = ({ integration, block, url }: DrawnLink): string => `${integration}/${block} ${url}`

const unknown: KnownLinks = new Map()

/**
 * Returns the document with blocks of integrations. If several blocks match, the first one is used. A link without a
 * known result gets an action, which requests the properties from the program when it renders the link. A link that the
 * program did not accept stays an embed.
 */
export const drawn = (document: Document, blocks: ReadonlyArray<DrawnBlock>, known = unknown): Document => {
  const takes = drawingUrls(blocks)
  const ofUrl = (url: string): Taken | undefined => {
    const drawing = takes(url)
    const props = drawing && known.get(linkKey({ ...drawing, url }))
    return drawing === undefined || props === null ? undefined : { drawing, props }
  }
  const there = namesOf(blocks)
  const overlay = (block: Block): Block | undefined => {
    switch (block.type) {
      case "code":
        return fromCode(block, blocks)
      case "embed":
        return fromEmbed(block, ofUrl)
      case "integration":
        return there.has(nameOf(block.data)) ? undefined : fromOther(block, blocks)
      default:
        return undefined
    }
  }
  // Documents are at most 100 levels deep, so the recursion is bounded.
  const within = (block: Block): Block =>
    overlay(block) ??
    withParts(block, {
      nodes: block.nodes && mapList(block.nodes, (node) => (node.object === "block" ? within(node) : node)),
      fragments:
        block.fragments && mapList(block.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, within)))
    })
  return withNodes(document, mapList(document.nodes, within))
}

/** Returns the links that blocks render, in document order. */
export const linksIn = (document: Document, blocks: ReadonlyArray<DrawnBlock>): ReadonlyArray<DrawnLink> => {
  const takes = drawingUrls(blocks)
  const found = new Map<string, DrawnLink>()
  const open: Array<Block> = document.nodes.toReversed()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    const url = block.type === "embed" ? urlOf(block) : undefined
    const drawing = url === undefined ? undefined : takes(url)
    if (drawing !== undefined) found.set(url!, { integration: drawing.integration, block: drawing.block, url: url! })
    DocumentText.pushBlocksIn(open, block)
  }
  return [...found.values()]
}

interface Taken {
  readonly drawing: DrawnBlock
  /** Properties of the block. Undefined if the program has not returned them yet. */
  readonly props: Data | undefined
}

/** Maximum number of comparisons of a URL with a pattern per document. Later embeds stay embeds. */
const maxComparisons = 2_000

const drawingUrls = (blocks: ReadonlyArray<DrawnBlock>) => {
  const patterns = blocks.flatMap((block) =>
    block.urls.flatMap((url) => {
      const pattern = UrlPattern.parse(url)
      return pattern === undefined ? [] : [{ pattern, block }]
    })
  )
  let left = maxComparisons
  return (url: string): DrawnBlock | undefined => {
    const address = patterns.length === 0 || left < patterns.length ? undefined : UrlPattern.addressOf(url)
    if (address === undefined) return undefined
    left -= patterns.length
    return patterns.find(({ pattern }) => UrlPattern.matches(pattern, address))?.block
  }
}

/** Returns true if the JSON of a document may contain blocks that become one of these blocks. */
export const mayDraw = (json: string, blocks: ReadonlyArray<DrawnBlock>): boolean =>
  blocks.some(
    ({ fence, urls }) =>
      (fence !== undefined && (json.includes('"type":"code"') || json.includes('"type":"integration"'))) ||
      (urls.length > 0 && json.includes('"type":"embed"'))
  )

const drawnAs = (
  { key }: Block,
  { integration, block }: DrawnBlock,
  data: { readonly props: Data; readonly url?: string; readonly action?: Data; readonly fullWidth?: unknown },
  origin: Origin
): Block => ({
  object: "block",
  type: "integration",
  key,
  data: { integration, block, ...data, origin },
  isVoid: true
})

const fromCode = (block: Block, blocks: ReadonlyArray<DrawnBlock>): Block | undefined => {
  const { syntax, meta, fullWidth } = block.data ?? {}
  if (typeof syntax !== "string" || block.fragments !== undefined) return undefined
  const drawing = blocks.find(({ fence }) => fence?.language.toLowerCase() === syntax.toLowerCase())
  const text = drawing && textOf(block.nodes)
  if (drawing?.fence === undefined || text === undefined) return undefined
  const { body } = drawing.fence
  const { [body]: _, ...props } = (typeof meta === "string" && FenceMeta.read(meta)) || {}
  const isWhole = JSON.stringify(block.nodes, withoutKeys) === JSON.stringify(linesOf(text))
  return drawnAs(
    block,
    drawing,
    { props: { ...props, [body]: text }, ...(fullWidth !== undefined && { fullWidth }) },
    {
      type: "code",
      body,
      data: block.data!,
      ...(block.isVoid !== undefined && { isVoid: block.isVoid }),
      ...(!isWhole && { nodes: block.nodes })
    }
  )
}

const withoutKeys = (name: string, value: unknown): unknown => (name === "key" ? undefined : value)

/** Returns the block that replaces a block of an unavailable integration. */
const drawingOther = ({ integration, props }: Data = {}, blocks: ReadonlyArray<DrawnBlock>): DrawnBlock | undefined => {
  if (typeof integration !== "string" || typeof props !== "object" || props === null) return undefined
  const drawing = blocks.find(({ fence }) => fence?.language.toLowerCase() === integration.toLowerCase())
  const body = drawing?.fence?.body
  const hasText = body !== undefined && Object.hasOwn(props, body) && typeof (props as Data)[body] === "string"
  return hasText ? drawing : undefined
}

const fromOther = (block: Block, blocks: ReadonlyArray<DrawnBlock>): Block | undefined => {
  const drawing = drawingOther(block.data, blocks)
  if (drawing === undefined) return undefined
  const { props, fullWidth } = block.data!
  return drawnAs(
    block,
    drawing,
    { props: props as Data, ...(fullWidth !== undefined && { fullWidth }) },
    { type: "integration", data: block.data! }
  )
}

/** Returns the URL of an embed. Undefined if the embed has other content than a URL. */
const urlOf = ({ data, fragments, nodes, isVoid }: Block): string | undefined => {
  const { ref, url: written, caption } = data ?? {}
  const url = isRef(ref) ? (ref.kind === "url" ? ref.url : undefined) : written
  const holdsMore = caption !== undefined || fragments !== undefined || nodes !== undefined || isVoid !== true
  return typeof url !== "string" || holdsMore ? undefined : url
}

const fromEmbed = (block: Block, ofUrl: (url: string) => Taken | undefined): Block | undefined => {
  const url = urlOf(block)
  const taken = url === undefined ? undefined : ofUrl(url)
  if (url === undefined || taken === undefined) return undefined
  const { drawing, props = {} } = taken
  const { fullWidth } = block.data!
  return drawnAs(
    block,
    drawing,
    {
      props,
      url,
      ...(taken.props === undefined && { action: { action: "@link.unfurl", url } }),
      ...(fullWidth !== undefined && { fullWidth })
    },
    { type: "embed", data: block.data!, props }
  )
}

/** Fields of a block that visitors receive: those that are needed to render it. */
const told = new Set(["integration", "block", "props", "url", "action", "fullWidth"])

/**
 * Returns the document for visitors: without blocks of unavailable integrations, and with only the fields that are
 * needed to render the others.
 */
export const forVisitors = (document: Document, blocks: ReadonlyArray<DrawnBlock>): Document => {
  const there = namesOf(blocks)
  const within = (block: Block): ReadonlyArray<Block> => {
    if (block.type === "integration") {
      const { data = {} } = block
      if (!there.has(nameOf(data)) && drawingOther(data, blocks) === undefined) return []
      const fields = Object.entries(data).filter(([name]) => told.has(name))
      return [fields.length === Object.keys(data).length ? block : { ...block, data: Object.fromEntries(fields) }]
    }
    return [
      withParts(block, {
        nodes: block.nodes && flatMapList(block.nodes, (node) => (node.object === "block" ? within(node) : [node])),
        fragments:
          block.fragments &&
          mapList(block.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, within)))
      })
    ]
  }
  return withNodes(document, flatMapList(document.nodes, within))
}

const nameOf = ({ integration, block }: { readonly integration?: unknown; readonly block?: unknown } = {}) =>
  `${typeof integration === "string" ? integration.toLowerCase() : ""}/${typeof block === "string" ? block : ""}`

const namesOf = (blocks: ReadonlyArray<DrawnBlock>): ReadonlySet<string> => new Set(blocks.map(nameOf))
