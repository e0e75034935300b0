/**
 * Port for slow rendering that does not depend on the page: highlighted code, formulas and icons. An adapter renders
 * outside of requests. Without an adapter, code is plain, formulas are TeX source, and icons are omitted.
 */
import { Context, type Effect } from "effect"
import type { SocialImage } from "./SocialImage.ts"

export type SnippetRequest =
  | { readonly kind: "code"; readonly code: string; readonly syntax: string }
  | { readonly kind: "formula"; readonly tex: string; readonly isBlock: boolean }
  /** `style`: style of the icon, such as `solid` or `regular`. An adapter uses the closest available style. */
  | { readonly kind: "icon"; readonly name: string; readonly style: string }

/** HTML without styles, handlers and scripts: one part per line of code; one part for a formula or an icon. */
export type RenderedSnippet = ReadonlyArray<string>

export interface SnippetRenderer {
  /** Renders each item. Results are in the order of the items; undefined for an item that cannot be rendered. */
  readonly render: (
    requests: ReadonlyArray<SnippetRequest>
  ) => Effect.Effect<ReadonlyArray<RenderedSnippet | undefined>>
  /** Renders a PNG of `SocialImage.size`; undefined if rendering fails. Default: no pictures. */
  readonly socialImage?: (image: SocialImage) => Effect.Effect<Uint8Array | undefined>
}

export const SnippetRenderer = Context.Reference<SnippetRenderer | undefined>(
  "@lectern/site/rendering/SnippetRenderer",
  {
    defaultValue: () => undefined
  }
)
