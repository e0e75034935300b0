/**
 * Displays lone links as the content of their target. A top-level paragraph that consists of the URL of a provider with
 * frames (see `EmbedProviders`) becomes an embed. The stored document keeps the link.
 */
import type { Block, Document } from "./Document.ts"
import { mapList, withNodes } from "./DocumentMapping.ts"
import { isRef } from "./DocumentRefs.ts"
import * as DocumentText from "./DocumentText.ts"
import * as EmbedProviders from "./EmbedProviders.ts"

export const withEmbeds = (document: Document): Document =>
  withNodes(
    document,
    mapList(document.nodes, (block): Block => {
      const url = standaloneUrl(block)
      return url === undefined ? block : { object: "block", type: "embed", key: block.key, data: { url }, isVoid: true }
    })
  )

const standaloneUrl = ({ type, nodes = [] }: Block): string | undefined => {
  const [link] = nodes
  if (type !== "paragraph" || nodes.length !== 1 || link?.object !== "inline" || link.type !== "link") return undefined
  const ref = link.data?.ref
  const url = isRef(ref) && ref.kind === "url" ? ref.url : undefined
  const isBare = url !== undefined && DocumentText.inlinesText(link.nodes ?? []) === url
  return isBare && EmbedProviders.frameOf(url) !== undefined ? url : undefined
}
