/** Theme of a host, in addition to a site's customization. */
import type { OptionNames } from "@lectern/core/schema/OptionNames"
import type { BlockRenderers } from "../document/BlockRenderer.ts"
import type { Html } from "../html/Html.ts"
import type { SiteContext, SitePage } from "./SitePage.ts"

/** Renders a part of a page. `renderDefault` renders the default part. Empty HTML omits the part. */
export type RenderSlot<Content> = (content: Content, renderDefault: () => Html) => Html

export interface Slots {
  /** Content of the head element. `renderDefault` renders the elements that browsers and programs need. */
  readonly head?: RenderSlot<SiteContext>
  /** Bar at the top, with search, menus and sections. */
  readonly header?: RenderSlot<SiteContext>
  readonly footer?: RenderSlot<SiteContext>
  /** Tree of pages. Phones open it as a drawer by its id `~drawer`. */
  readonly tree?: RenderSlot<SitePage>
  /** Column next to the content: the outline, or empty for a page without an outline. */
  readonly aside?: RenderSlot<SitePage>
}

export interface Theme {
  /** Renderers of blocks by block type. */
  readonly blocks?: BlockRenderers
  /** Parts around the content. */
  readonly slots?: Slots
  /** Style sheet that follows, and so overrides, the style sheet of all sites. */
  readonly css?: string
}

export const themeNames: OptionNames<Theme> = {
  blocks: true,
  slots: { head: true, header: true, footer: true, tree: true, aside: true },
  css: true
}

/** Renders a part with the theme's renderer, or by default. */
export const renderSlot = <Content>(
  render: RenderSlot<Content> | undefined,
  content: Content,
  renderDefault: () => Html
): Html => (render === undefined ? renderDefault() : render(content, renderDefault))
