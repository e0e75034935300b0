/**
 * Scripts and styles of what few pages have: a page loads those of the elements that stand in it, and no others. Text
 * of a document is escaped, so such a tag is one of ours.
 */
import { type Html, html } from "../html/Html.ts"
import type { Parts } from "../html/InSlices.ts"
import type { Assets } from "./Head.ts"

export const hasDiagrams = (parts: Parts): boolean => stands("<lectern-diagram ", parts)

/** Blocks of integrations. */
const hasBlocks = (parts: Parts): boolean => stands("<lectern-block ", parts)

/** Frames of integrations. */
export const hasFrames = (parts: Parts): boolean => stands("<lectern-frame", parts)

const stands = (tag: string, parts: Parts): boolean => parts.some((part) => part.includes(tag))

export const of = (parts: Parts, { diagrams, blocks }: Assets): Html => {
  const draws = diagrams !== undefined && hasDiagrams(parts) && diagrams
  return html`${blocks && hasBlocks(parts) && html`<link rel="stylesheet" href="${blocks.css}"><script type="module" src="${blocks.script}"></script>`}${draws && html`<script type="module" src="${draws.script}" data-frame="${draws.frame}"></script>`}`
}
