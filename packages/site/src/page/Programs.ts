/**
 * Scripts and styles of what few pages have: a page loads those of the elements that stand in it, and no others. Text
 * of a document is escaped, so such a tag is one of ours.
 */
import { type Html, html } from "../html/Html.ts"
import type { Assets } from "./Head.ts"

export const hasDiagrams = (text: string): boolean => text.includes("<lectern-diagram ")

/** Blocks of integrations. */
const hasBlocks = (text: string): boolean => text.includes("<lectern-block ")

/** Frames of integrations. */
export const hasFrames = (text: string): boolean => text.includes("<lectern-frame")

export const of = ({ text }: Html, { diagrams, blocks }: Assets): Html => {
  const draws = diagrams !== undefined && hasDiagrams(text) && diagrams
  return html`${blocks && hasBlocks(text) && html`<link rel="stylesheet" href="${blocks.css}"><script type="module" src="${blocks.script}"></script>`}${draws && html`<script type="module" src="${draws.script}" data-frame="${draws.frame}"></script>`}`
}
