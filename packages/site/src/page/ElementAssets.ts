/**
 * Scripts and styles that only few pages need. A page loads the files of the elements that it contains. Text in
 * documents is escaped, so only Lectern's own elements match.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import type { HtmlChunks } from "../html/HtmlChunks.ts"
import type { Assets } from "./Head.ts"

export const hasDiagrams = (chunks: HtmlChunks): boolean => containsTag("<lectern-diagram ", chunks)

/** Returns true if the page has operations or schemas of an API. */
const hasApi = (chunks: HtmlChunks): boolean => containsTag('<section class="api"', chunks)

/** Returns true if the page has blocks of integrations. */
const hasBlocks = (chunks: HtmlChunks): boolean => containsTag("<lectern-block ", chunks)

/** Returns true if the page has frames of integrations. */
export const hasFrames = (chunks: HtmlChunks): boolean => containsTag("<lectern-frame", chunks)

const containsTag = (tag: string, chunks: HtmlChunks): boolean => chunks.some((part) => part.includes(tag))

export const renderAssets = (chunks: HtmlChunks, { diagrams, blocks, api }: Assets): Html => {
  const diagramAssets = diagrams !== undefined && hasDiagrams(chunks) && diagrams
  return html`${api && hasApi(chunks) && html`<link rel="stylesheet" href="${api}">`}${blocks && hasBlocks(chunks) && html`<link rel="stylesheet" href="${blocks.css}"><script type="module" src="${blocks.script}"></script>`}${diagramAssets && html`<script type="module" src="${diagramAssets.script}" data-frame="${diagramAssets.frame}"${attributes({ "data-keeps-origin": diagramAssets.keepsOrigin === true })}></script>`}`
}
