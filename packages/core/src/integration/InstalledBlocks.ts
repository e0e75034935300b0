/** The blocks that the integrations at work on a space draw in its documents. */
import type { DrawnBlock } from "../content/blocks/BlockOverlay.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Context, Effect, Layer } from "effect"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import { IntegrationsAtWork } from "./IntegrationsAtWork.ts"

export interface BlocksOfSpace {
  /** The same for as long as they are. */
  readonly key: string
  readonly blocks: ReadonlyArray<DrawnBlock>
}

export class InstalledBlocks extends Context.Service<
  InstalledBlocks,
  {
    /** Undefined where there are none. */
    readonly on: (
      space: Pick<SpaceRow, "id" | "organization">
    ) => Effect.Effect<BlocksOfSpace | undefined, StorageError>
  }
>()("@lectern/core/integration/InstalledBlocks") {
  static readonly layer = Layer.effect(
    InstalledBlocks,
    Effect.gen(function* () {
      const atWork = yield* IntegrationsAtWork
      const hasher = yield* Hasher

      return InstalledBlocks.of({
        on: Effect.fnUntraced(function* ({ id, organization }) {
          const placed = yield* atWork.on(organization, "space", id)
          const drawing = placed.filter(({ integration }) => (integration.manifest.blocks ?? []).length > 0)
          if (drawing.length === 0) return undefined
          // Each time it is published it says so, whatever its version.
          const versions = drawing.map(({ integration: { key, version, updatedAt } }) => [key, version, updatedAt])
          return {
            key: hasher.sha256(JSON.stringify(versions)).slice(0, 22),
            blocks: drawing.flatMap(({ integration: { name, manifest } }) =>
              manifest.blocks!.map(({ id: block, markdown, urlUnfurl = [] }): DrawnBlock => ({
                integration: name,
                block,
                ...(markdown && { fence: { language: markdown.codeblock, body: markdown.body } }),
                urls: urlUnfurl
              }))
            )
          }
        })
      })
    })
  )
}
