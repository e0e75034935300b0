/** A look of a host's own, in place of that which customization gives. */
import type { BlockRenderers } from "../document/Rendering.ts"
import type { Html } from "../html/Html.ts"
import type { Around, SitePage } from "./SitePage.ts"

/** A part of a page otherwise: `usual` draws what would stand there. An empty one leaves the part out. */
export type RenderSlot<Shown> = (shown: Shown, usual: () => Html) => Html

export interface Slots {
  /** All that stands in the head. `usual` has what browsers and programs need. */
  readonly head?: RenderSlot<Around>
  /** The bar at the top, with search, menus and sections. */
  readonly header?: RenderSlot<Around>
  readonly footer?: RenderSlot<Around>
  /** The tree of pages. A phone shows it as a drawer, by its id `drawer`. */
  readonly tree?: RenderSlot<SitePage>
  /** Beside the text: the outline, empty where a page has none. */
  readonly aside?: RenderSlot<SitePage>
}

export interface Theme {
  /** Renderers of blocks, by their type. */
  readonly blocks?: BlockRenderers
  /** Parts around the text. */
  readonly slots?: Slots
  /** Stands behind the style sheet of all sites, and wins over it. */
  readonly css?: string
}

/** A part as the theme draws it. */
export const slot = <Shown>(render: RenderSlot<Shown> | undefined, shown: Shown, usual: () => Html): Html =>
  render === undefined ? usual() : render(shown, usual)
