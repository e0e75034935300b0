/**
 * Port for slow rendering that does not depend on the page: highlighted code, formulas and icons. An adapter renders
 * outside of requests. Without an adapter, code is plain, formulas are TeX source, and icons are omitted.
 */
import { Context, type Effect } from "effect"
import type { SocialPicture } from "./SocialImage.ts"

export type Wanted =
  | { readonly kind: "code"; readonly code: string; readonly syntax: string }
  | { readonly kind: "formula"; readonly tex: string; readonly isBlock: boolean }
  /** `style`: `solid`, `regular` and so on. The icon with the closest available style is used. */
  | { readonly kind: "icon"; readonly name: string; readonly style: string }

/** HTML without styles, handlers and scripts: one part per line of code; one part for a formula or an icon. */
export type Painted = ReadonlyArray<string>

export interface Painter {
  /** Renders each item. Results are in the order of the items; undefined for an item that cannot be rendered. */
  readonly paint: (wanted: ReadonlyArray<Wanted>) => Effect.Effect<ReadonlyArray<Painted | undefined>>
  /** Renders a PNG of `SocialPicture.size`; undefined if rendering fails. Default: no pictures. */
  readonly picture?: (picture: SocialPicture) => Effect.Effect<Uint8Array | undefined>
}

export const Painter = Context.Reference<Painter | undefined>("@lectern/site/rendering/SnippetRenderer", {
  defaultValue: () => undefined
})
