/**
 * A port to what takes long to draw and is the same wherever it stands: code with its words marked, formulas, icons.
 * An adapter does it apart from requests. Without one code is plain, formulas are TeX, and there are no icons.
 */
import { Context, type Effect } from "effect"
import type { SocialPicture } from "./SocialPicture.ts"

export type Wanted =
  | { readonly kind: "code"; readonly code: string; readonly syntax: string }
  | { readonly kind: "formula"; readonly tex: string; readonly isBlock: boolean }
  /** `style`: `solid`, `regular` and so on; what there is comes nearest to it. */
  | { readonly kind: "icon"; readonly name: string; readonly style: string }

/** HTML without styles, handlers and scripts: a part for each line of code, one for anything else. */
export type Painted = ReadonlyArray<string>

export interface Painter {
  /** One answer for each, in their order; undefined for what can't be drawn. */
  readonly paint: (wanted: ReadonlyArray<Wanted>) => Effect.Effect<ReadonlyArray<Painted | undefined>>
  /** A PNG of `SocialPicture.size`; undefined where it can't be drawn. Default: there are none. */
  readonly picture?: (picture: SocialPicture) => Effect.Effect<Uint8Array | undefined>
}

export const Painter = Context.Reference<Painter | undefined>("@lectern/site/painting/Painter", {
  defaultValue: () => undefined
})
