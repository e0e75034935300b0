/**
 * Resolves URLs of this instance to content: a collection, or a space with a change request and a page. Resources list
 * these URLs under `urls`; `PublishedUrls` resolves URLs of published sites. Presents URLs of other websites that content
 * embeds.
 *
 * Limits: URL 2,048 characters.
 */
import { Context, Effect, Schema, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { ChangeRequests } from "../change-request/ChangeRequests.ts"
import { CollectionId, type CollectionNotFound } from "../collection/Collection.ts"
import { Collections } from "../collection/Collections.ts"
import { Contents } from "../content/Contents.ts"
import type { ContentPageNotFound } from "../content/edits/ContentErrors.ts"
import type { RevisionNotFound } from "../content/revisions/Revisions.ts"
import { AppPaths } from "../identity/AppUrls.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { SpaceId, type SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import { Spaces } from "../space/Spaces.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type ContentAtUrl, ContentUrl } from "./ContentUrl.ts"
import { type Embed, embedOf, EmbedUrl } from "./Embed.ts"

const accept = accepting(ContentUrl)
const acceptEmbed = accepting(EmbedUrl)

type Failure =
  | ChangeRequestNotFound
  | CollectionNotFound
  | ContentPageNotFound
  | Forbidden
  | RevisionNotFound
  | SpaceNotFound
  | StorageError

/** Raised if the URL is not of this instance, or leads to no content that the actor may see. */
export class ContentUrlNotFound extends Schema.TaggedError<ContentUrlNotFound>()(
  "ContentUrlNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class ContentUrls extends Context.Service<
  ContentUrls,
  {
    /**
     * Returns the content at a URL.
     *
     * @param url URL of a space, a page, a change request or another content of this instance.
     * @throws {ContentUrlNotFound} Without content that the actor may see.
     * @throws {InvalidInput}
     */
    readonly find: (
      url: string
    ) => Effect.Effect<ContentAtUrl, ContentUrlNotFound | InvalidInput | StorageError, CurrentActor>
    /**
     * Presents an http or https URL as a frame or a link, to any caller. The URL is not requested.
     *
     * @param url URL with http or https.
     * @throws {InvalidInput}
     */
    readonly embed: (url: string) => Effect.Effect<Embed, InvalidInput>
    /**
     * Presents an http or https URL as a frame or a link, in a space that the actor may read.
     *
     * @param url URL with http or https.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     */
    readonly embedInSpace: (
      space: SpaceId,
      url: string
    ) => Effect.Effect<Embed, SpaceNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
  }
>()("@lectern/core/link/ContentUrls") {
  static readonly layer = Layer.effect(
    ContentUrls,
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      const appPaths = yield* AppPaths
      const collections = yield* Collections
      const spaces = yield* Spaces
      const changeRequests = yield* ChangeRequests
      const contents = yield* Contents
      const spacePolicy = yield* SpacePolicy

      const findInSpace = Effect.fnUntraced(function* (ids: UrlIds, id: SpaceId) {
        const space = yield* spaces.get(id)
        const changeRequest =
          ids.changeRequest === undefined ? undefined : yield* changeRequests.get(id, ids.changeRequest)
        const result = { space, ...(changeRequest !== undefined && { changeRequest }) }
        if (ids.revision === undefined && ids.page === undefined) return result
        const located = yield* contents.locate({
          space: id,
          ...(changeRequest !== undefined && { changeRequest: changeRequest.id }),
          ...(ids.revision !== undefined && { revision: ids.revision })
        })
        return ids.page === undefined ? result : { ...result, page: yield* contents.page(located, ids.page) }
      })

      const notFound = Effect.fail(new ContentUrlNotFound({ message: "This URL leads to no content here" }))

      const embed = (rawUrl: string) => Effect.map(acceptEmbed({ url: rawUrl }), ({ url }) => embedOf(url))

      return ContentUrls.of({
        embed,

        embedInSpace: Effect.fn("ContentUrls.embedInSpace")(function* (space, rawUrl) {
          yield* spacePolicy.require(space, "read this space")

          return yield* embed(rawUrl)
        }),

        find: Effect.fn("ContentUrls.find")(
          function* (
            rawUrl
          ): Effect.fn.Return<ContentAtUrl, Failure | ContentUrlNotFound | InvalidInput, CurrentActor> {
            const { url } = yield* accept({ url: rawUrl })
            const { origin, pathname } = new URL(url)
            const urlWithoutQuery = origin + pathname
            const path = urlWithoutQuery.startsWith(publicUrl) ? urlWithoutQuery.slice(publicUrl.length) : ""
            const ids: UrlIds | undefined = (contentPath.exec(path) ?? appPaths.content?.exec(path))?.groups
            if (ids?.collection !== undefined) {
              return { collection: yield* collections.get(CollectionId.make(ids.collection)) }
            }
            return ids?.space === undefined ? yield* notFound : yield* findInSpace(ids, SpaceId.make(ids.space))
          },
          Effect.catchTag(
            [
              "ChangeRequestNotFound",
              "CollectionNotFound",
              "ContentPageNotFound",
              "Forbidden",
              "RevisionNotFound",
              "SpaceNotFound"
            ],
            () => notFound
          )
        )
      })
    })
  )
}

/** Ids in a URL. */
interface UrlIds {
  readonly collection?: string
  readonly space?: string
  readonly changeRequest?: string
  readonly revision?: string
  readonly page?: string
}

/** Paths that resources list as their URLs. */
const contentPath =
  /^\/v1\/(?:collections\/(?<collection>[\w-]{1,128})|spaces\/(?<space>[\w-]{1,128})(?:\/change-requests\/(?<changeRequest>[\w-]{1,128})|\/revisions\/(?<revision>[\w-]{1,128}))?(?:\/content)?(?:\/page\/(?<page>[\w~-]{1,256}))?)\/?$/
