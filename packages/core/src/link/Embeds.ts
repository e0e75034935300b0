/** Presents URLs that a space embeds, to actors who may read the space. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type Embed, embedOf, EmbedUrl } from "./Embed.ts"

const accept = accepting(EmbedUrl)

export class Embeds extends Context.Service<
  Embeds,
  {
    /** Presents an http or https URL as a frame or a link, to any caller. The URL is not requested. */
    readonly withoutSpace: (url: string) => Effect.Effect<Embed, InvalidInput>
    /** Presents an http or https URL as a frame or a link, in a space that the actor may read. */
    readonly inSpace: (
      space: SpaceId,
      url: string
    ) => Effect.Effect<Embed, SpaceNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
  }
>()("@lectern/core/link/Embeds") {
  static readonly layer = Layer.effect(
    Embeds,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const present = (rawUrl: string) => Effect.map(accept({ url: rawUrl }), ({ url }) => embedOf(url))

      return Embeds.of({
        withoutSpace: present,
        inSpace: Effect.fn("Embeds.inSpace")(function* (space, rawUrl) {
          yield* policy.require(space, "read this space")
          return yield* present(rawUrl)
        })
      })
    })
  )
}
