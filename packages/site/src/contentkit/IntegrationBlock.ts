/** A block of an integration among the others of a page, or what stands in its place where nothing was drawn. */
import type { Block } from "@lectern/document/Document"
import { type Html, html } from "../html/Html.ts"
import * as Urls from "../html/Urls.ts"
import { outward } from "../document/Links.ts"
import { textOf } from "../document/Nodes.ts"
import type { Rendering } from "../document/Rendering.ts"
import type { Answer } from "../reading/IntegrationBlocks.ts"
import { type Dialog, form, type Place } from "./BlockForm.ts"

export interface Page extends Omit<Place, "block" | "dialog"> {
  /** Origin of the frames of integrations. */
  readonly framesFrom: string
  /** Path of the site. */
  readonly site: string
}

/** `dialog`: it stands in place of the block. */
export const draw = (
  block: Block,
  answer: Answer | undefined,
  page: Page,
  rendering: Rendering,
  dialog?: Dialog
): Html | undefined => {
  if (answer === undefined || answer === "gone") return undefined
  if (answer === "failed") return instead(block, rendering)
  if ("returnValue" in answer) return undefined
  const { integration, block: name } = block.data ?? {}
  const { framesFrom, site, ...place } = page
  return form(
    answer,
    { ...place, block: block.key ?? "", dialog },
    { rendering, framesFrom, site, isDialog: dialog !== undefined, name: `${textOf(integration)}: ${textOf(name)}` }
  )
}

/** A sentence that says that nothing was drawn. */
export const notDrawn = ({ words }: Rendering): Html => html`<p class="missing">${words.notDrawn}</p>`

/** The link that a block was made of, or else a sentence. */
const instead = ({ data }: Block, rendering: Rendering): Html => {
  const href = Urls.link(textOf(data?.["url"]))
  return href === undefined || textOf(data?.["url"]) === ""
    ? notDrawn(rendering)
    : html`<p><a href="${href}"${outward(href, rendering)}>${href}</a></p>`
}
