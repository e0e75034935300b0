/** Renders a block of an integration, or a replacement if the integration failed to render it. */
import type { Block } from "@lectern/document/Document"
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { externalAttributes } from "../document/Links.ts"
import { textOf } from "../document/Nodes.ts"
import type { BlockRenderer } from "../document/BlockRenderer.ts"
import type { BlockResult } from "../reading/IntegrationBlocks.ts"
import { type Dialog, renderForm, type BlockLocation } from "./BlockForm.ts"

export interface BlockPage extends Omit<BlockLocation, "block" | "dialog"> {
  /** Origin of integration frames. */
  readonly frameOrigin: string
  /** Path of the site. */
  readonly site: string
}

/** Renders a result. `dialog`: dialog that replaces the block. */
export const renderBlock = (
  block: Block,
  result: BlockResult | undefined,
  page: BlockPage,
  renderer: BlockRenderer,
  dialog?: Dialog
): Html | undefined => {
  if (result === undefined || result === "gone") return undefined
  if (result === "failed") return renderFallback(block, renderer)
  if ("returnValue" in result) return undefined
  const { integration, block: name } = block.data ?? {}
  const { frameOrigin, site, ...location } = page
  return renderForm(
    result,
    { ...location, block: block.key ?? "", dialog },
    {
      renderer,
      frameOrigin,
      site,
      isDialog: dialog !== undefined,
      name: `${textOf(integration)}: ${textOf(name)}`
    }
  )
}

/** Renders a message that the integration failed. */
export const renderFailure = ({ messages }: BlockRenderer): Html => html`<p class="missing">${messages.notDrawn}</p>`

/** Renders the link that the block was created from, otherwise a message. */
const renderFallback = ({ data }: Block, renderer: BlockRenderer): Html => {
  const href = SafeUrls.linkUrl(textOf(data?.["url"]))
  return href === undefined || textOf(data?.["url"]) === ""
    ? renderFailure(renderer)
    : html`<p><a href="${href}"${externalAttributes(href, renderer)}>${href}</a></p>`
}
