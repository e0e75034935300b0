/**
 * Scripts and styles that only few pages need. A page loads the files of the elements that it contains. Text in
 * documents is escaped, so only Lectern's own elements match.
 */
import { type Html, html } from "../html/Html.ts"
import type { Parts } from "../html/HtmlChunks.ts"
import type { Assets } from "./Head.ts"

export const hasDiagrams = (parts: Parts): boolean => stands("<lectern-diagram ", parts)

/** Returns true if the page has blocks of integrations. */
const hasBlocks = (parts: Parts): boolean => stands("<lectern-block ", parts)

/** Returns true if the page has frames of integrations. */
export const hasFrames = (parts: Parts): boolean => stands("<lectern-frame", parts)

const stands = (tag: string, parts: Parts): boolean => parts.some((part) => part.includes(tag))

export const of = (parts: Parts, { diagrams, blocks }: Assets): Html => {
  const draws = diagrams !== undefined && hasDiagrams(parts) && diagrams
  return html`${blocks && hasBlocks(parts) && html`<link rel="stylesheet" href="${blocks.css}"><script type="module" src="${blocks.script}"></script>`}${draws && html`<script type="module" src="${draws.script}" data-frame="${draws.frame}"></script>`}`
}
