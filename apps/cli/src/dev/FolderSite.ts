/**
 * A folder as a published site, in memory. `update` imports the folder again: only changed files are read and parsed,
 * and a failed import leaves the site unchanged.
 */
import { createHmac } from "node:crypto"
import * as Path from "node:path"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { CustomizationPut } from "@lectern/core/customization/Customization"
import { Customizations } from "@lectern/core/customization/Customizations"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { PublishingAuth } from "@lectern/core/publishing/PublishingAuth"
import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { inOneLine } from "@lectern/core/schema/Text"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import type { Content } from "@lectern/core/content/Content"
import { Objects } from "@lectern/core/content/store/Objects"
import { Hasher } from "@lectern/core/storage/Hasher"
import * as Exchange from "@lectern/exchange/Exchange"
import * as BrokenAnchors from "@lectern/exchange/import/BrokenAnchors"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as FolderPlan from "@lectern/exchange/import/FolderPlan"
import type { Folder } from "@lectern/exchange/import/Folder"
import { ImportCache } from "@lectern/exchange/import/ImportCache"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodeSnippetRenderer } from "@lectern/services-node/rendering/NodeSnippetRenderer"
import * as SnippetCache from "@lectern/site/rendering/SnippetCache"
import { Clock, Effect, Layer, Schedule } from "effect"
import { FolderFiles } from "./FolderFiles.ts"
import * as FolderOutline from "./FolderOutline.ts"
import { NodeHasher } from "./NodeHasher.ts"
import * as Problems from "../lint/Problems.ts"

export interface FolderSiteOptions {
  readonly folder: string
  /** Title of the site. Default: the name of the folder, or of its parent folder if it only states that it has docs. */
  readonly title?: string | undefined
  /** Signed claims of every visitor. Default: a visitor without claims. */
  readonly claims?: { readonly [name: string]: unknown } | undefined
}

export interface Update {
  /** Paths of changed files. Empty if no file changed. */
  readonly changes: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  /** Problems of the import. */
  readonly problems: ReadonlyArray<Problems.Problem>
  readonly pages: number
}

/** Parts of a site that need a server. */
const customization: CustomizationPut = { pdf: { enabled: false }, pageActions: { items: ["markdown"] } }

/** Runs an effect as the host, and again if a file is removed between the listing and the import. */
const readingAsHost = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.retry({
      schedule: Schedule.spaced("50 millis"),
      times: 5,
      while: ({ _tag }) => _tag === "FolderUnreadable"
    }),
    Effect.provideService(CurrentActor, host)
  )

/** Creates a layer with all services in memory. */
export const makeLayer = (cacheSizes: Pick<Lectern.LecternOptions, "objectCacheBytes" | "markdownCacheBytes"> = {}) =>
  Layer.merge(
    Lectern.layer({
      hasher: Layer.succeed(Hasher, NodeHasher),
      fetch: NodeFetch.layer(),
      extensions: [Exchange.extension()],
      ...cacheSizes
    }).pipe(Layer.provideMerge(MemoryStorage.layer)),
    Layer.provideMerge(SnippetCache.layer, NodeSnippetRenderer.layer().pipe(Layer.provide(NodeFetch.layer())))
  )

export const layer = makeLayer()

export const make = Effect.fnUntraced(
  function* ({ folder, title = titleOf(folder), claims }: FolderSiteOptions) {
    const organizations = yield* Organizations
    const spaces = yield* Spaces
    const sites = yield* Sites
    const imports = yield* FolderImports
    const objects = yield* Objects
    yield* (yield* JobWorker).start
    const { id: organization } = yield* organizations.create({ title: inOneLine(title, 50) })
    const space = yield* spaces.create(organization, { title: inOneLine(title, 50) })
    const { id: site } = yield* sites.create(organization, {
      title: inOneLine(title, 128),
      spaces: [space.id]
    })
    yield* (yield* Customizations).put(organization, site, customization)
    yield* sites.publish(organization, site)
    const token = claims && (yield* visitorToken(yield* (yield* PublishingAuths).get(organization, site), claims))
    const files = new FolderFiles(folder)
    const cache = new ImportCache()
    let latest: Omit<Update, "changes" | "folders"> = { problems: [], pages: 0 }
    let content: Content | undefined
    let folderOfUpdate: Folder | undefined
    /** Changes that are not imported yet, since an import failed. */
    const pending = new Set<string>()

    const read = Effect.tap(files.read, ({ changes }) =>
      Effect.sync(() => {
        for (const path of changes) pending.add(path)
      })
    )

    const update = Effect.gen(function* () {
      const reading = yield* read
      const changes = [...pending]
      if (changes.length > 0) {
        const { report, revision } = yield* imports.importFolder(space.id, reading.folder, { cache })
        content = revision.content
        folderOfUpdate = reading.folder
        pending.clear()
        latest = { problems: Problems.inReport(report, cache.pages), pages: report.counts.pages }
      }
      return { ...latest, changes, folders: reading.folders } satisfies Update
    }).pipe(readingAsHost)

    const prepare = Effect.gen(function* () {
      const { folder } = yield* read
      const outline = yield* FolderOutline.make(folder)
      if (outline !== undefined) yield* imports.importFolder(space.id, outline)
      return outline !== undefined
    }).pipe(readingAsHost)

    /** Paths that the settings of the folder redirect, decoded. */
    const redirects = Effect.suspend(() =>
      folderOfUpdate === undefined
        ? Effect.succeed([])
        : Effect.map(FolderPlan.make(folderOfUpdate), ({ redirects }) => [...redirects.keys()])
    )

    /** Links of the last update whose anchor names no heading. */
    const brokenAnchors = Effect.suspend(() =>
      content === undefined ? Effect.succeed([]) : BrokenAnchors.find(objects, content, cache)
    )

    return {
      brokenAnchors,
      /** Cache of the imports, with the folder and the findings in its pages. */
      cache,
      /**
       * Imports the tree of pages and the first page of a large folder, before the first update. Returns false for
       * other folders, which need no preparation.
       */
      prepare,
      redirects,
      /** Id of the site. */
      site,
      /** Token of every visitor. Undefined for visitors without claims. */
      token,
      update
    }
  },
  Effect.provideService(CurrentActor, host)
)

export type FolderSite = Effect.Success<ReturnType<typeof make>>

/** Names of folders that only state that they contain documentation. */
const plainNames = /^(?:docs?|documentation|content|pages|site|src|website)$/i

const titleOf = (folder: string): string => {
  const name = Path.basename(folder)
  const title = plainNames.test(name) ? Path.basename(Path.dirname(folder)) || name : name
  return title.length < 2 ? "Documentation" : title
}

/** Lifetime of the token in seconds. */
const lifetime = 365 * 24 * 60 * 60

/** Returns a visitor's token with claims, signed with the key of the site. */
const visitorToken = (
  { privateKey }: Pick<PublishingAuth, "privateKey">,
  claims: { readonly [name: string]: unknown }
) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const payload = { ...claims, exp: Math.floor(now / 1000) + lifetime }
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(payload)}`
    return `${text}.${createHmac("sha256", privateKey).update(text).digest("base64url")}`
  })
