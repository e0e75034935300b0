/**
 * Every service of Lectern over the ports that an adapter provides.
 *
 * ```ts
 * const Host = Lectern.layer().pipe(Layer.provide(SqliteStorage.layer({ filename: "lectern.db" })))
 * ```
 *
 * Hashing is pure JavaScript unless the host provides a faster `Hasher`, ids come from Web Crypto.
 */
import { Layer } from "effect"
import { Access } from "./access/Access.ts"
import { AccessFacts } from "./access/AccessFacts.ts"
import { Grants } from "./access/Grants.ts"
import { Tokens } from "./access/Tokens.ts"
import { ChangeRequestContents } from "./change-request/ChangeRequestContents.ts"
import { ChangeRequestLookup } from "./change-request/ChangeRequestLookup.ts"
import { ChangeRequests } from "./change-request/ChangeRequests.ts"
import { ChangeRequestStore } from "./change-request/ChangeRequestStore.ts"
import { CollectionPolicy } from "./collection/CollectionPolicy.ts"
import { Collections } from "./collection/Collections.ts"
import { Placement } from "./collection/Placement.ts"
import { Contents } from "./content/Contents.ts"
import { collectGarbage } from "./content/GarbageCollection.ts"
import { FolderExports } from "./content/export/FolderExports.ts"
import { FolderImports } from "./content/import/FolderImports.ts"
import { LiveEdits } from "./content/LiveEdits.ts"
import { Markdowns } from "./content/Markdowns.ts"
import { Objects } from "./content/Objects.ts"
import { Revisions } from "./content/Revisions.ts"
import { removeOldEvents } from "./event/EventRetention.ts"
import { Events } from "./event/Events.ts"
import { Ids } from "./identity/Ids.ts"
import { Instance } from "./identity/Instance.ts"
import { Jobs } from "./job/Jobs.ts"
import { removeOldJobs } from "./job/JobRetention.ts"
import { JobWorker, type JobWorkerOptions } from "./job/JobWorker.ts"
import { Members } from "./organization/Members.ts"
import { Organizations } from "./organization/Organizations.ts"
import { indexSpace, SearchIndexing } from "./search/SearchIndexing.ts"
import { Searches } from "./search/Searches.ts"
import { SpacePolicy } from "./space/SpacePolicy.ts"
import { removeSpace } from "./space/SpaceRemoval.ts"
import { SpaceTransfers } from "./space/SpaceTransfers.ts"
import { SpaceTrash } from "./space/SpaceTrash.ts"
import { Spaces } from "./space/Spaces.ts"
import { Hasher } from "./storage/Hasher.ts"
import { Paging } from "./storage/Paging.ts"
import { Users } from "./user/Users.ts"

export interface LecternOptions {
  readonly hasher?: Layer.Layer<Hasher>
  readonly ids?: Layer.Layer<Ids>
  /** How much object text is kept in memory, in bytes. Default: 64 MiB. */
  readonly objectCacheBytes?: number
  /** How much printed Markdown is kept in memory, in bytes. Default: 32 MiB. */
  readonly markdownCacheBytes?: number
  /** How background work is done, once `JobWorker` was started. */
  readonly jobs?: JobWorkerOptions
}

/** What works in the background. A concept with jobs adds its handler here. */
const handlers = [collectGarbage, indexSpace, removeOldEvents, removeOldJobs, removeSpace]

export const layer = (options: LecternOptions = {}) => {
  const foundation = Layer.mergeAll(options.hasher ?? Hasher.layer, options.ids ?? Ids.layer)
  const objects = Objects.layer(options.objectCacheBytes === undefined ? {} : { cacheBytes: options.objectCacheBytes })
  const markdowns = Markdowns.layer(
    options.markdownCacheBytes === undefined ? {} : { cacheBytes: options.markdownCacheBytes }
  )
  // Each line stands on those before it.
  return Layer.empty.pipe(
    Layer.provideMerge(JobWorker.layer(handlers, options.jobs)),
    Layer.provideMerge(Layer.mergeAll(ChangeRequestContents.layer, FolderExports.layer, FolderImports.layer)),
    Layer.provideMerge(Layer.mergeAll(ChangeRequests.layer, Contents.layer, LiveEdits.layer, Searches.layer)),
    Layer.provideMerge(
      Layer.mergeAll(ChangeRequestStore.layer, Collections.layer, Grants.layer, Spaces.layer, markdowns)
    ),
    Layer.provideMerge(SearchIndexing.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        ChangeRequestLookup.layer,
        CollectionPolicy.layer,
        Members.layer,
        Placement.layer,
        Revisions.layer,
        SpacePolicy.layer,
        SpaceTransfers.layer,
        SpaceTrash.layer
      )
    ),
    Layer.provideMerge(Organizations.layer),
    Layer.provideMerge(Layer.mergeAll(Paging.layer, Access.layer, Tokens.layer, Users.layer, objects)),
    Layer.provideMerge(Layer.mergeAll(AccessFacts.layer, Events.layer, Jobs.layer)),
    Layer.provideMerge(Instance.layer),
    Layer.provideMerge(foundation)
  )
}
