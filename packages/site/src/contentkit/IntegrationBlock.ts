/** A block of an integration among the others of a page, or what stands in its place where nothing was drawn. */
import type { Block } from "@lectern/document/Document"
import { type Html, html } from "../html/Html.ts"
import * as Urls from "../html/Urls.ts"
import { outward } from "../document/Links.ts"
import { textOf } from "../document/Nodes.ts"
import type { Rendering } from "../document/Rendering.ts"
import type { Answer } from "../reading/IntegrationBlocks.ts"
import { form, type Place } from "./BlockForm.ts"

export interface Page extends Omit<Place, "block" | "component"> {
  /** Origin of the frames of integrations. */
  readonly framesFrom: string
}

/** `component`: a dialog that the block has opened. */
export const draw = (
  block: Block,
  answer: Answer | undefined,
  page: Page,
  rendering: Rendering,
  component?: string
): Html | undefined => {
  if (answer === undefined || answer === "gone" || answer === "complete") return undefined
  if (answer === "failed") return instead(block, rendering)
  const { integration, block: name } = block.data ?? {}
  const { framesFrom, ...place } = page
  return form(
    answer,
    { ...place, block: block.key ?? "", component },
    { rendering, framesFrom, name: `${textOf(integration)}: ${textOf(name)}` }
  )
}

/** The link that a block was made of, or else a sentence. */
const instead = ({ data }: Block, rendering: Rendering): Html => {
  const href = Urls.link(textOf(data?.["url"]))
  return href === undefined || textOf(data?.["url"]) === ""
    ? html`<p class="missing">${rendering.words.notDrawn}</p>`
    : html`<p><a href="${href}"${outward(href, rendering)}>${href}</a></p>`
}
