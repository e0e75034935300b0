/** Resolves references for a reader of a site: to pages and files of the site, to spaces, users and other websites. */
import type { Contents } from "@lectern/core/content/Contents"
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import type { SiteSpace } from "@lectern/core/site/SiteResources"
import type { SpaceId } from "@lectern/core/space/Space"
import { Slice } from "@lectern/core/storage/Slice"
import type { UserId } from "@lectern/core/user/User"
import type { Users } from "@lectern/core/user/Users"
import type { ContentRef } from "@lectern/document/Document"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { Effect } from "effect"
import type { LinkTarget } from "../document/BlockRenderer.ts"
import * as MountedFiles from "../server/MountedFiles.ts"
import * as Tree from "./Tree.ts"

/** A space of the site, and the base of its pages' URLs. */
export interface LocatedSpace {
  readonly location: LocatedRevision
  readonly tree: Resources.Pages
  /** Path or URL that precedes the paths of the space's pages. */
  readonly base: string
  /** True if the site is written to files (see `SiteMount`). Default: false. */
  readonly isStatic?: boolean
}

export const siteSpacesOf = ({ structure }: PublishedSite): ReadonlyArray<SiteSpace> =>
  structure.type === "siteSpaces"
    ? structure.structure
    : structure.structure.flatMap((entry) =>
        entry.object === "site-section" ? entry.siteSpaces : entry.sections.flatMap(({ siteSpaces }) => siteSpaces)
      )

const fragmentOf = (anchor: string): string => `#${encodeURIComponent(decodePercent(anchor))}`

interface Services {
  readonly contents: Contents["Service"]
  readonly users: Users["Service"]
}

export interface ResolvedTargets {
  readonly targetOf: (ref: ContentRef) => LinkTarget | undefined
  /** All targets as text; equal texts mean equal targets. */
  readonly text: string
}

/** Resolves references, each once. Targets that the reader cannot see are omitted. */
export const find = Effect.fnUntraced(function* (
  { contents, users }: Services,
  site: PublishedSite,
  own: LocatedSpace,
  refs: Iterable<ContentRef>
) {
  const targets = new Map<string, LinkTarget>()
  const spaces = new Map<string, LocatedSpace | undefined>()
  const siteSpaces = siteSpacesOf(site)

  const findSpace = Effect.fnUntraced(function* (id: string | undefined) {
    if (id === undefined || id === own.location.space.id) return own
    if (spaces.has(id)) return spaces.get(id)
    const base = siteSpaces.find(({ space }) => space.id === id)?.urls.published
    const location =
      base === undefined
        ? undefined
        : yield* contents.locate({ space: id as SpaceId }).pipe(Effect.catch(() => Effect.undefined))
    const locatedSpace =
      location && base !== undefined
        ? { location, base, tree: yield* Tree.read(contents, location), isStatic: own.isStatic === true }
        : undefined
    spaces.set(id, locatedSpace)
    return locatedSpace
  })

  const targetOf = Effect.fnUntraced(function* (ref: ContentRef) {
    switch (ref.kind) {
      case "page":
      case "anchor": {
        const space = yield* findSpace(ref.space)
        const pageId = ref.page
        if (pageId === undefined) {
          const anchor = ref.kind === "anchor" ? fragmentOf(ref.anchor) : ""
          return { url: anchor, title: anchor.slice(1) }
        }
        const page = space && Tree.find(space.tree, pageId)
        if (space === undefined || page === undefined) return undefined
        const target = Tree.targetOf(page, space)
        if (ref.kind === "page") return target
        // The content has the ids of headings in its own space already.
        const id = ref.space === undefined ? ref.anchor : yield* contents.headingId(space.location, pageId, ref.anchor)
        return { ...target, url: Tree.urlOf(page, space) + fragmentOf(id) }
      }
      case "space": {
        const entry = siteSpaces.find(({ space }) => space.id === ref.space)
        return entry?.urls.published === undefined ? undefined : { url: entry.urls.published, title: entry.title }
      }
      case "file": {
        const space = yield* findSpace(ref.space)
        const file =
          space &&
          (yield* contents.file(space.location, ref.file).pipe(Effect.catchTag("FileNotFound", () => Effect.undefined)))
        if (file === undefined) return undefined
        const { name, downloadURL, contentType, size, dimensions } = file
        const mount = yield* SiteMount
        const url = mount === undefined ? downloadURL : MountedFiles.urlOf(mount, own.base, file)
        return { url, title: name, file: { contentType, size, ...(dimensions && { dimensions }) } }
      }
      case "user": {
        const user = yield* users.get(ref.user as UserId).pipe(Effect.catchTag("UserNotFound", () => Effect.undefined))
        return user && { title: user.displayName }
      }
      default:
        return undefined
    }
  })

  const slice = yield* Slice.start
  for (const ref of refs) {
    if (slice.isOver()) yield* slice.pause
    if (ref.kind === "url") continue
    const key = keyOf(ref)
    if (targets.has(key)) continue
    const target: LinkTarget | undefined = yield* targetOf(ref)
    if (target !== undefined) targets.set(key, target)
  }
  return {
    targetOf: (ref) => (ref.kind === "url" ? urlTarget(ref.url) : targets.get(keyOf(ref))),
    text: targets.size === 0 ? "" : JSON.stringify([...targets])
  } satisfies ResolvedTargets
})

/**
 * Returns the target of a URL. Undefined for a relative path, which names a file missing from the space. A browser
 * would request it from the site. Undefined also for `/broken/…`, which other platforms export for deleted targets.
 */
const urlTarget = (url: string): LinkTarget | undefined =>
  (/^[/#?]/.test(url) || URL.canParse(url)) && !brokenLink.test(url) ? { url, title: url } : undefined

const brokenLink = /^\/broken\/(?:pages|files|spaces)\//

const keyOf = (ref: ContentRef): string => JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)))
