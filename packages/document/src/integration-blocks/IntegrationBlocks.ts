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
import { type FencedBlock, codeLinesOf, type Origin, codeText } from "./BlockOrigin.ts"
import * as UrlPattern from "./UrlPattern.ts"

/** A block that an integration renders, which is active in a space. */
export interface IntegrationBlock extends Omit<FencedBlock, "fence"> {
  readonly fence?: FencedBlock["fence"]
  /** Patterns of the URLs that the block renders (see `UrlPattern`). */
  readonly urls: ReadonlyArray<string>
}

/** A link that a block renders. */
export interface IntegrationLink {
  readonly integration: string
  readonly block: string
  readonly url: string
}

/**
 * Results of the integrations' programs for links, by `linkKey`: the properties of the block, or null if the program
 * did not accept the link.
 */
export type LinkResults = ReadonlyMap<string, Data | null>

export const linkKey = ({ integration, block, url }: IntegrationLink): string => `${integration}/${block} ${url}`

const noLinkResults: LinkResults = new Map()

/**
 * Returns the document with blocks of integrations. If several blocks match, the first one is used. A link without a
 * result becomes a block with an action. The action requests the properties from the program when the block is
 * rendered. A link that the program did not accept stays an embed.
 */
export const withIntegrationBlocks = (
  document: Document,
  blocks: ReadonlyArray<IntegrationBlock>,
  linkResults = noLinkResults
): Document => {
  const blockForUrl = urlMatcher(blocks)
  const matchUrl = (url: string): UrlMatch | undefined => {
    const integrationBlock = blockForUrl(url)
    const props = integrationBlock && linkResults.get(linkKey({ ...integrationBlock, url }))
    return integrationBlock === undefined || props === null ? undefined : { integrationBlock, props }
  }
  const availableNames = blockNames(blocks)
  const convertBlock = (block: Block): Block | undefined => {
    switch (block.type) {
      case "code":
        return convertCode(block, blocks)
      case "embed":
        return convertEmbed(block, matchUrl)
      case "integration":
        return availableNames.has(blockName(block.data)) ? undefined : convertUnavailable(block, blocks)
      default:
        return undefined
    }
  }
  // Documents are at most 100 levels deep, so the call stack cannot overflow.
  const mapBlock = (block: Block): Block =>
    convertBlock(block) ??
    withParts(block, {
      nodes: block.nodes && mapList(block.nodes, (node) => (node.object === "block" ? mapBlock(node) : node)),
      fragments:
        block.fragments &&
        mapList(block.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, mapBlock)))
    })
  return withNodes(document, mapList(document.nodes, mapBlock))
}

/** Returns the links that blocks render, in document order. */
export const integrationLinks = (
  document: Document,
  blocks: ReadonlyArray<IntegrationBlock>
): ReadonlyArray<IntegrationLink> => {
  const blockForUrl = urlMatcher(blocks)
  const links = new Map<string, IntegrationLink>()
  const pending: Array<Block> = document.nodes.toReversed()
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    const url = block.type === "embed" ? embedUrl(block) : undefined
    const integrationBlock = url === undefined ? undefined : blockForUrl(url)
    if (integrationBlock !== undefined)
      links.set(url!, { integration: integrationBlock.integration, block: integrationBlock.block, url: url! })
    DocumentText.pushChildBlocks(pending, block)
  }
  return [...links.values()]
}

interface UrlMatch {
  readonly integrationBlock: IntegrationBlock
  /** Properties of the block. Undefined if the program has not returned them yet. */
  readonly props: Data | undefined
}

/** Maximum number of comparisons of a URL with a pattern per document. Later embeds stay embeds. */
const maxComparisons = 2_000

const urlMatcher = (blocks: ReadonlyArray<IntegrationBlock>) => {
  const patterns = blocks.flatMap((block) =>
    block.urls.flatMap((url) => {
      const pattern = UrlPattern.parse(url)
      return pattern === undefined ? [] : [{ pattern, block }]
    })
  )
  let remainingComparisons = maxComparisons
  return (url: string): IntegrationBlock | undefined => {
    const address =
      patterns.length === 0 || remainingComparisons < patterns.length ? undefined : UrlPattern.normalizeUrl(url)
    if (address === undefined) return undefined
    remainingComparisons -= patterns.length
    return patterns.find(({ pattern }) => UrlPattern.matches(pattern, address))?.block
  }
}

/** Returns true if the JSON of a document may contain blocks that become one of these blocks. */
export const mayContainIntegrationBlocks = (json: string, blocks: ReadonlyArray<IntegrationBlock>): boolean =>
  blocks.some(
    ({ fence, urls }) =>
      (fence !== undefined && (json.includes('"type":"code"') || json.includes('"type":"integration"'))) ||
      (urls.length > 0 && json.includes('"type":"embed"'))
  )

const toIntegrationBlock = (
  { key }: Block,
  { integration, block }: IntegrationBlock,
  data: { readonly props: Data; readonly url?: string; readonly action?: Data; readonly fullWidth?: unknown },
  origin: Origin
): Block => ({
  object: "block",
  type: "integration",
  key,
  data: { integration, block, ...data, origin },
  isVoid: true
})

const convertCode = (block: Block, blocks: ReadonlyArray<IntegrationBlock>): Block | undefined => {
  const { syntax, meta, fullWidth } = block.data ?? {}
  if (typeof syntax !== "string" || block.fragments !== undefined) return undefined
  const integrationBlock = blocks.find(({ fence }) => fence?.language.toLowerCase() === syntax.toLowerCase())
  const text = integrationBlock && codeText(block.nodes)
  if (integrationBlock?.fence === undefined || text === undefined) return undefined
  const { body } = integrationBlock.fence
  const { [body]: _, ...props } = (typeof meta === "string" && FenceMeta.read(meta)) || {}
  const hasDefaultLines = JSON.stringify(block.nodes, withoutKeys) === JSON.stringify(codeLinesOf(text))
  return toIntegrationBlock(
    block,
    integrationBlock,
    { props: { ...props, [body]: text }, ...(fullWidth !== undefined && { fullWidth }) },
    {
      type: "code",
      body,
      data: block.data!,
      ...(block.isVoid !== undefined && { isVoid: block.isVoid }),
      ...(!hasDefaultLines && { nodes: block.nodes })
    }
  )
}

const withoutKeys = (name: string, value: unknown): unknown => (name === "key" ? undefined : value)

/** Returns the block that replaces a block of an unavailable integration. */
const availableReplacement = (
  { integration, props }: Data = {},
  blocks: ReadonlyArray<IntegrationBlock>
): IntegrationBlock | undefined => {
  if (typeof integration !== "string" || typeof props !== "object" || props === null) return undefined
  const integrationBlock = blocks.find(({ fence }) => fence?.language.toLowerCase() === integration.toLowerCase())
  const body = integrationBlock?.fence?.body
  const hasText = body !== undefined && Object.hasOwn(props, body) && typeof (props as Data)[body] === "string"
  return hasText ? integrationBlock : undefined
}

const convertUnavailable = (block: Block, blocks: ReadonlyArray<IntegrationBlock>): Block | undefined => {
  const integrationBlock = availableReplacement(block.data, blocks)
  if (integrationBlock === undefined) return undefined
  const { props, fullWidth } = block.data!
  return toIntegrationBlock(
    block,
    integrationBlock,
    { props: props as Data, ...(fullWidth !== undefined && { fullWidth }) },
    { type: "integration", data: block.data! }
  )
}

/** Returns the URL of an embed. Undefined if the embed has other content than a URL. */
const embedUrl = ({ data, fragments, nodes, isVoid }: Block): string | undefined => {
  const { ref, url: dataUrl, caption } = data ?? {}
  const url = isRef(ref) ? (ref.kind === "url" ? ref.url : undefined) : dataUrl
  const hasOtherContent = caption !== undefined || fragments !== undefined || nodes !== undefined || isVoid !== true
  return typeof url !== "string" || hasOtherContent ? undefined : url
}

const convertEmbed = (block: Block, matchUrl: (url: string) => UrlMatch | undefined): Block | undefined => {
  const url = embedUrl(block)
  const match = url === undefined ? undefined : matchUrl(url)
  if (url === undefined || match === undefined) return undefined
  const { integrationBlock, props = {} } = match
  const { fullWidth } = block.data!
  return toIntegrationBlock(
    block,
    integrationBlock,
    {
      props,
      url,
      ...(match.props === undefined && { action: { action: "@link.unfurl", url } }),
      ...(fullWidth !== undefined && { fullWidth })
    },
    { type: "embed", data: block.data!, props }
  )
}

/** Fields of a block that visitors receive: those that are needed to render it. */
const visitorFields = new Set(["integration", "block", "props", "url", "action", "fullWidth"])

/**
 * Returns the document for visitors: without blocks of unavailable integrations, and with only the fields that are
 * needed to render the others.
 */
export const forVisitors = (document: Document, blocks: ReadonlyArray<IntegrationBlock>): Document => {
  const availableNames = blockNames(blocks)
  const mapBlock = (block: Block): ReadonlyArray<Block> => {
    if (block.type === "integration") {
      const { data = {} } = block
      if (!availableNames.has(blockName(data)) && availableReplacement(data, blocks) === undefined) return []
      const fields = Object.entries(data).filter(([name]) => visitorFields.has(name))
      return [fields.length === Object.keys(data).length ? block : { ...block, data: Object.fromEntries(fields) }]
    }
    return [
      withParts(block, {
        nodes: block.nodes && flatMapList(block.nodes, (node) => (node.object === "block" ? mapBlock(node) : [node])),
        fragments:
          block.fragments &&
          mapList(block.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, mapBlock)))
      })
    ]
  }
  return withNodes(document, flatMapList(document.nodes, mapBlock))
}

const blockName = ({ integration, block }: { readonly integration?: unknown; readonly block?: unknown } = {}) =>
  `${typeof integration === "string" ? integration.toLowerCase() : ""}/${typeof block === "string" ? block : ""}`

const blockNames = (blocks: ReadonlyArray<IntegrationBlock>): ReadonlySet<string> => new Set(blocks.map(blockName))
