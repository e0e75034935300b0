/**
 * A folder as a published site, in memory. `site.yaml` lists the parts of the site, and each part is imported into a
 * space. When `site.yaml` changes, the site is created again, and each part keeps its space. `update` imports
 * the folder again: it reads and parses only changed files, and a failed import leaves the site unchanged.
 */
import { createHmac } from "node:crypto"
import * as Path from "node:path"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { CustomizationPut } from "@lectern/core/customization/Customization"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import type { LecternServices } from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { PublishingAuth } from "@lectern/core/publishing/PublishingAuth"
import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { inOneLine } from "@lectern/core/schema/Text"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { Objects } from "@lectern/core/content/store/Objects"
import { Hasher } from "@lectern/core/storage/Hasher"
import * as Exchange from "@lectern/exchange/Exchange"
import * as BrokenAnchors from "@lectern/exchange/import/BrokenAnchors"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as Drafts from "@lectern/exchange/import/Drafts"
import type { Folder, FolderFile } from "@lectern/exchange/import/Folder"
import * as FolderParts from "@lectern/exchange/site-folder/FolderParts"
import * as PartImports from "@lectern/exchange/site-folder/PartImports"
import { ImportedPart } from "@lectern/exchange/site-folder/PartImports"
import * as ResolvedSite from "@lectern/exchange/site-folder/ResolvedSite"
import * as SiteCreation from "@lectern/exchange/site-folder/SiteCreation"
import * as SiteFile from "@lectern/exchange/site-folder/SiteFile"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodeSnippetRenderer } from "@lectern/services-node/rendering/NodeSnippetRenderer"
import * as SnippetCache from "@lectern/site/rendering/SnippetCache"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { Clock, Effect, Layer, Result, Schedule } from "effect"
import { FolderFiles } from "./FolderFiles.ts"
import * as FolderOutline from "./FolderOutline.ts"
import { NodeHasher } from "./NodeHasher.ts"
import * as Problems from "../lint/Problems.ts"

export interface FolderSiteOptions {
  readonly folder: string
  /** Title of the site. Default: the name of the folder, or of its parent folder if it only states that it has docs. */
  readonly title?: string | undefined
  /** `omitted`: drafts are no pages; `shown`: they are pages like others. Default: imports decide (see `Folder`). */
  readonly drafts?: "omitted" | "shown" | undefined
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

/** Settings of parts of a site that need a server. */
const withoutServer: CustomizationPut = { pdf: { enabled: false }, pageActions: { items: ["markdown"] } }

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
  function* ({ folder, title, claims, drafts }: FolderSiteOptions) {
    const organizations = yield* Organizations
    const spaces = yield* Spaces
    const imports = yield* FolderImports
    const objects = yield* Objects
    const auths = yield* PublishingAuths
    const services = yield* Effect.context<LecternServices>()
    yield* (yield* JobWorker).start
    const { id: organization } = yield* organizations.create({ title: inOneLine(title ?? titleOf(folder), 50) })
    const files = new FolderFiles(folder)
    let siteFile: ReadSiteFile = { parsed: noSiteFile, problems: [] }
    let parts: ReadonlyArray<ImportedPart> = []
    let published: PublishedSite | undefined
    let latest: Omit<Update, "changes" | "folders"> = { problems: [], pages: 0 }
    /** Changes that are not imported yet, since an import failed. */
    const pending = new Set<string>()

    const knownDrafts = new WeakMap<FolderFile, boolean>()
    const read = Effect.gen(function* () {
      const { changes, folder, ...reading } = yield* files.read
      for (const path of changes) pending.add(path)
      const omitted = drafts === "omitted" ? yield* Drafts.find(folder.files, knownDrafts) : undefined
      return {
        ...reading,
        folder: { ...folder, showsDrafts: drafts === "shown", ...(omitted !== undefined && { omitted }) }
      }
    })

    /** Reads `site.yaml`, if it changed. Of an invalid file, the previous version still applies. */
    const readSiteFile = Effect.fnUntraced(function* ({ files }: Folder) {
      const file = files.find(({ path }) => path === SiteFile.path)
      if (file === siteFile.file) return
      const result =
        file === undefined ? Result.succeed(noSiteFile) : SiteFile.parse(new TextDecoder().decode(yield* file.bytes()))
      siteFile = Result.match(result, {
        onSuccess: (parsed) => ({ file, parsed, problems: [] }),
        onFailure: (problems) => ({
          file,
          parsed: siteFile.parsed,
          problems: problems.map((problem) => ({ ...problem, path: SiteFile.path, rule: "invalid-settings" }))
        })
      })
    })

    const titleOfSite = () => title ?? siteFile.parsed.file.title ?? titleOf(folder)

    /** Finds the parts of the folder. A part with the folder and groups of an earlier one keeps its space. */
    const findParts = Effect.gen(function* () {
      const found: Array<ImportedPart> = []
      for (const definition of FolderParts.definitionsOf(siteFile.parsed.file, titleOfSite())) {
        const settings = {
          title: inOneLine(definition.title, 50),
          ...(definition.language !== undefined && { language: definition.language })
        }
        const existing = parts.find((part) => part.definition.key === definition.key)
        if (existing === undefined) {
          found.push(new ImportedPart(definition, (yield* spaces.create(organization, settings)).id))
          continue
        }
        if (existing.definition.title !== definition.title || existing.definition.language !== definition.language)
          yield* spaces.update(existing.space, settings)
        existing.definition = definition
        found.push(existing)
      }
      parts = found
    })

    /** Creates the site, if it differs from the published one. Returns the problems of `site.yaml`. */
    const publish = Effect.fnUntraced(function* ({ files }: Folder) {
      const { parsed } = siteFile
      const { site: resolved, findings } = ResolvedSite.resolve(parsed.file, {
        title: inOneLine(titleOfSite(), 128),
        parts,
        files
      })
      const key = JSON.stringify(resolved)
      if (published?.key !== key) {
        const created = yield* SiteCreation.create(organization, {
          ...resolved,
          customization: { ...resolved.customization, ...withoutServer }
        })
        const { site } = created
        const token = claims && (yield* visitorToken(yield* auths.get(organization, site), claims))
        published = { ...created, key, token }
      }
      // Positions in an invalid file are not those of the version that applies.
      if (siteFile.problems.length > 0) return siteFile.problems
      return [...findings, ...published.findings, ...missingContent(parts, files)].map(({ at, message, rule }) => ({
        path: SiteFile.path,
        ...parsed.positionOf(at),
        rule,
        message
      }))
    }, Effect.provideContext(services))

    const update = Effect.gen(function* () {
      const reading = yield* read
      const changes = [...pending]
      if (changes.length > 0 || published === undefined) {
        yield* readSiteFile(reading.folder)
        yield* findParts
        yield* PartImports.importAll(imports, parts, reading.folder)
        const settingsProblems = yield* publish(reading.folder)
        pending.clear()
        const reported = parts.flatMap(({ cache, last }) => Problems.inReport(last!.report, cache.pages))
        latest = {
          problems: Problems.withoutRepeated([...settingsProblems, ...reported]).toSorted(Problems.byPosition),
          pages: parts.reduce((count, { last }) => count + last!.report.counts.pages, 0)
        }
      }
      return { ...latest, changes, folders: reading.folders } satisfies Update
    }).pipe(readingAsHost)

    const prepare = Effect.gen(function* () {
      const { folder } = yield* read
      yield* readSiteFile(folder)
      yield* findParts
      const definitions = parts.map(({ definition }) => definition)
      const outline = yield* FolderOutline.make(folder, FolderParts.partOf(definitions[0]!, definitions, new Map()))
      if (outline === undefined) return false
      yield* PartImports.importAll(imports, parts, outline, 1)
      yield* publish(folder)
      return true
    }).pipe(readingAsHost)

    /** Sources of the redirects in `site.yaml`, decoded. A source that ends in `*` has many paths. */
    const ownRedirects = () => (siteFile.parsed.file.redirects ?? []).map(({ source }) => decodePercent(source))

    /** Paths of the site that the settings of the folder redirect, decoded. */
    const redirects = Effect.gen(function* () {
      if (published === undefined) return []
      const siteSpaces = yield* SiteSpaces
      const sites = yield* Sites
      const { site } = published
      const root = (yield* sites.get(organization, site)).urls.published!
      const { items } = yield* siteSpaces.list(organization, site, { limit: 1000 })
      return [
        ...ownRedirects().filter((source) => !source.endsWith("*")),
        ...parts.flatMap(({ cache, space }) => {
          const url = items.find((item) => item.space.id === space)?.urls.published
          const base = url === undefined ? "" : url.slice(root.length)
          return Array.from(cache.folder?.plan.redirects.keys() ?? [], (path) => `${base}/${path}`)
        })
      ]
    }).pipe(Effect.provideContext(services), Effect.provideService(CurrentActor, host))

    /** Links of the last update whose anchor names no heading. */
    const brokenAnchors = Effect.suspend(() =>
      BrokenAnchors.find(
        objects,
        parts.flatMap(({ cache, last }) => (last === undefined ? [] : [{ cache, content: last.revision.content }]))
      )
    )

    return {
      brokenAnchors,
      /** Parts with the caches of their imports, which have the folder and the findings in its pages. */
      parts: (): ReadonlyArray<ImportedPart> => parts,
      /**
       * Imports the tree of pages and the first page of a large folder, before the first update. Returns false for
       * other folders, which need no preparation.
       */
      prepare,
      redirects,
      /** Returns the source paths of redirects with a wildcard, which only a server can apply. */
      wildcardRedirects: () => ownRedirects().filter((source) => source.endsWith("*")),
      /** Returns the published site, which changes with `site.yaml`. Undefined before the first update or preparation. */
      published: (): PublishedSite | undefined => published,
      update
    }
  },
  Effect.provideService(CurrentActor, host)
)

export interface PublishedSite extends SiteCreation.CreatedSite {
  /** Equal for equal sites. */
  readonly key: string
  /** Token of every visitor. Undefined for visitors without claims. */
  readonly token: string | undefined
}

interface ReadSiteFile {
  /** Undefined if the folder has no `site.yaml`. */
  readonly file?: FolderFile | undefined
  /** Last valid version. */
  readonly parsed: SiteFile.ParsedSiteFile
  readonly problems: ReadonlyArray<Problems.Problem>
}

const noSiteFile: SiteFile.ParsedSiteFile = { file: {}, positionOf: () => ({ line: 1, column: 1 }) }

/** Finds parts whose folder or groups don't exist. */
const missingContent = (
  parts: ReadonlyArray<ImportedPart>,
  files: ReadonlyArray<FolderFile>
): ReadonlyArray<ResolvedSite.Finding> =>
  parts.flatMap(({ cache, definition }) => {
    const { folder, path } = definition
    const rule = "invalid-settings" as const
    if (folder !== "" && !files.some((file) => file.path.startsWith(`${folder}/`)))
      return [{ at: [...path, "folder"], rule, message: `There is no folder ${folder}` }]
    return (cache.folder?.plan.missingGroups ?? []).map((title) => ({
      at: [...path, "groups"],
      rule,
      message: `The navigation has no group "${title}"`
    }))
  })

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
