/**
 * Unfurls links in main content that blocks of integrations accept. A job runs after a commit that adds links, and
 * after an integration is placed on a space. A link without a stored result is unfurled when it is rendered (see
 * `IntegrationBlocks`).
 *
 * Limits: 200 links, and a minute, for one change of a space.
 */
import { Clock, Effect, Schema, Stream, Layer } from "effect"
import { CurrentActor, host } from "../access/Actor.ts"
import {
  type IntegrationBlock,
  type IntegrationLink,
  linkKey
} from "@lectern/document/integration-blocks/IntegrationBlocks"
import { FindRenderedLinks } from "../content/documents/FindRenderedLinks.ts"
import * as Content from "../content/Content.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Slice } from "../storage/Slice.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { InstallationId } from "./Installation.ts"
import { InstalledBlocks, type UnfurlResult } from "./InstalledBlocks.ts"
import { IntegrationRenders } from "./placement/IntegrationRenders.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import { LinkedBlocksTable, maxPropsLength } from "./UnfurledLink.ts"

const maxLinks = 200
const maxMillis = 60_000

const UnfurlLinks = Job.kind("unfurl-links", Schema.Struct({ space: Schema.String }), { attempts: 3 })

const takesLinks = (blocks: ReadonlyArray<IntegrationBlock>): boolean => blocks.some(({ urls }) => urls.length > 0)

/** Queues a job when links or blocks that accept links are added. */
export const LinkUnfurling = Layer.effectDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const events = yield* Events
    const jobs = yield* Jobs
    const runs = yield* IntegrationRuns
    const installedBlocks = yield* InstalledBlocks
    const spaces = storage.repository(SpaceTable)

    const enqueue = Effect.fnUntraced(function* (space: Pick<SpaceRow, "id" | "organization">) {
      if (!runs.isAvailable || !takesLinks((yield* installedBlocks.blocksOf(space))?.blocks ?? [])) return
      yield* jobs.enqueue(UnfurlLinks, { space: space.id }, { key: space.id })
    })

    yield* events.listen(["space_content_updated"], ({ space: id, organization }) =>
      enqueue({ id, organization: organization as OrganizationId })
    )
    yield* events.listen(
      ["placement_created", "placement_updated"],
      Effect.fnUntraced(function* ({ content }) {
        const space = content.kind === "space" ? yield* spaces.get({ id: SpaceId.make(content.id) }) : undefined
        if (space !== undefined) yield* enqueue(space)
      })
    )
    yield* events.listen(["installation_removed"], ({ installation }) =>
      installedBlocks.removeFor(installation as InstallationId)
    )
  })
)

export const unfurlLinks = Effect.gen(function* () {
  const storage = yield* Storage
  const objects = yield* Objects
  const revisions = yield* Revisions
  const installedBlocks = yield* InstalledBlocks
  const renders = yield* IntegrationRenders
  const spaces = storage.repository(SpaceTable)
  const states = storage.repository(LinkedBlocksTable)

  /** Returns the distinct links that blocks accept in changed documents, up to 200. */
  const linksOf = Effect.fnUntraced(function* (
    previousContent: Content.Content,
    currentContent: Content.Content,
    blocks: ReadonlyArray<IntegrationBlock>
  ) {
    const linksByKey = new Map<string, IntegrationLink>()
    const slice = yield* Slice.start
    const collectLinks = Effect.fnUntraced(function* ({
      after: entry
    }: TrieDifferences.Difference<Pick<PageEntry, "document">>) {
      if (entry?.document === undefined || linksByKey.size >= maxLinks) return
      const document = yield* objects.document(entry.document)
      // Links of a document that takes too long to search are unfurled when they are rendered.
      const links = yield* objects.threads
        .run(FindRenderedLinks, { document, blocks })
        .pipe(Effect.catchTag("TooCostly", () => Effect.succeed([])))
      for (const link of links) if (linksByKey.size < maxLinks) linksByKey.set(linkKey(link), link)
      if (slice.isOver()) yield* slice.pause
    })
    for (const name of ["pages", "reusableContents"] as const) {
      yield* TrieDifferences.inSlices<Pick<PageEntry, "document">>(
        objects,
        previousContent[name],
        currentContent[name]
      ).pipe(Stream.runForEach((differences) => Effect.forEach(differences, collectLinks, { discard: true })))
    }
    return [...linksByKey.values()]
  })

  /** Returns the result of a link; undefined if it should not be stored. */
  const unfurl = Effect.fnUntraced(
    function* (space: SpaceRow, link: IntegrationLink) {
      const { json } = yield* renders.render(link.integration, {
        componentId: link.block,
        props: {},
        context: { type: "document", spaceId: space.id, editable: false, theme: "light" },
        action: { action: "@link.unfurl", url: link.url }
      })
      const { type, props } = JSON.parse(json) as { readonly type?: unknown; readonly props?: unknown }
      if (type === "complete") return { ...link, props: undefined }
      if (typeof props !== "object" || props === null || Array.isArray(props)) return undefined
      const length = Object.keys(props).length === 0 ? Infinity : JSON.stringify(props).length
      return length > maxPropsLength ? undefined : { ...link, props: props as UnfurlResult["props"] }
    },
    (effect, _, link) =>
      effect.pipe(
        Effect.provideService(CurrentActor, host),
        Effect.catchTag(["RenderRejected", "RenderFailed"], () => Effect.succeed({ ...link, props: undefined })),
        // Returns undefined if the integration has left the space, or if the request exceeds a limit.
        Effect.catchIf(
          (error) => error._tag !== "StorageError",
          () => Effect.undefined
        )
      )
  )

  return Job.handler(
    UnfurlLinks,
    Effect.fnUntraced(function* ({ payload }) {
      const space = yield* spaces.get({ id: SpaceId.make(payload.space) })
      const blocks = space && (yield* installedBlocks.blocksOf(space))
      if (space === undefined || blocks === undefined || space.deletedAt !== undefined) return
      const lastState = yield* states.get({ space: space.id })
      const isSame = lastState?.blocks === blocks.version
      const previousContent = isSame
        ? yield* revisions.find(space.id, lastState.revision).pipe(
            Effect.map(({ content }) => content),
            Effect.catchTag("RevisionNotFound", () => Effect.succeed(Content.empty))
          )
        : Content.empty
      const { content } = yield* revisions.get(space.revision)
      const links = yield* linksOf(previousContent, content, blocks.blocks)
      const unfurledLinks = yield* installedBlocks.unfurled(space, links)
      const deadline = (yield* Clock.currentTimeMillis) + maxMillis
      const results: Array<UnfurlResult> = []
      for (const link of links) {
        // A link with a stored result is skipped. A link that was not accepted is tried again when its page changes.
        if (unfurledLinks.get(linkKey(link)) != null) continue
        if ((yield* Clock.currentTimeMillis) >= deadline) break
        const result = yield* unfurl(space, link)
        if (result !== undefined) results.push(result)
      }
      yield* installedBlocks.store(space, results)
      const state = { revision: space.revision, blocks: blocks.version }
      if ((yield* states.update({ space: space.id }, state)) === 0) {
        yield* states.insert({ space: space.id, ...state }).pipe(cannotConflict)
      }
    })
  )
})
