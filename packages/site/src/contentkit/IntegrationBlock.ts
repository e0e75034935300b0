/** Renders a block of an integration, or a replacement if the integration failed to render it. */
import type { Block } from "@lectern/document/Document"
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { outward } from "../document/Links.ts"
import { textOf } from "../document/Nodes.ts"
import type { Rendering } from "../document/BlockRenderer.ts"
import type { Answer } from "../reading/IntegrationBlocks.ts"
import { type Dialog, form, type Place } from "./BlockForm.ts"

export interface Page extends Omit<Place, "block" | "dialog"> {
  /** Origin of integration frames. */
  readonly framesFrom: string
  /** Path of the site. */
  readonly site: string
}

/** Renders a result. `dialog`: dialog that replaces the block. */
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

/** Renders a message that the integration failed. */
export const notDrawn = ({ words }: Rendering): Html => html`<p class="missing">${words.notDrawn}</p>`

/** Renders the link that the block was created from, otherwise a message. */
const instead = ({ data }: Block, rendering: Rendering): Html => {
  const href = SafeUrls.link(textOf(data?.["url"]))
  return href === undefined || textOf(data?.["url"]) === ""
    ? notDrawn(rendering)
    : html`<p><a href="${href}"${outward(href, rendering)}>${href}</a></p>`
}
