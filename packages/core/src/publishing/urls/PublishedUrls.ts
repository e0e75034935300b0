/**
 * Resolves a URL of a published site for a renderer: to the site, section, site space and page, or to a redirect. The
 * caller is a renderer, so the permissions are those of the visitor. Content that is not published for the visitor
 * counts as missing. If the site exists and the page does not, the response names the space of the path, so that
 * renderers find their own files there (`robots.txt`, `page.md`).
 *
 * Results of URLs without a token are cached, the most recently used (32 MiB), until a fact that determines them
 * changes: an address, the site, or a space on it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { unsignedFromUrl } from "../../adaptive/Claims.ts"
import type { Actor } from "../../access/Actor.ts"
import { LruCache } from "../../storage/LruCache.ts"
import { type Destination } from "../../redirect/Redirect.ts"
import { hasEndlessRedirects } from "../../redirect/RedirectChain.ts"
import { withRest, redirectOf } from "../../redirect/RedirectMatch.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import { pathBelow, publishedUrl, SiteMount, sitesUrl } from "../../site/SiteAddress.ts"
import { previewUrl } from "../../site/SitePresenter.ts"
import * as SitePaths from "../../site/SitePaths.ts"
import { type CachedSite, SiteStore } from "../../site/store/SiteStore.ts"
import { foldPath, type SiteSpaceId } from "../../site/SiteStructure.ts"
import * as Reads from "../../storage/Reads.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { type PublishedUrl, PublishedUrlNotFound, PublishedUrlQuery } from "../PublishedUrl.ts"
import { admissionRules } from "../Admission.ts"
import { publishedPaths, type PathReader } from "../PublishedPaths.ts"
import { RuleObserver, type RuleResult, siteNotFound } from "../VisibilityRule.ts"
import { signOnRedirect, withQuery } from "./ExternalRedirect.ts"
import { type SiteUrl, makeSiteUrls } from "./SiteUrls.ts"
import { type AdmittedVisitor, makeAdmittedVisitors, publishedSpaces } from "../../visitor/AdmittedVisitors.ts"
import { previewPathIn, pathOf, type Preview } from "../../visitor/Preview.ts"
import { type AdmissionResult, type AdmittedPreview, type RefusedAdmission, Visitors } from "../../visitor/Visitors.ts"
import { VisitorKeys } from "../../visitor/VisitorKeys.ts"
import { today, VisitorTokens } from "../../visitor/VisitorTokens.ts"
import type { PageEntry } from "../../content/pages/Page.ts"

const accept = accepting(PublishedUrlQuery)

const maxCachedBytes = 32 * 1024 * 1024
/** Approximate memory of a cached result without its URLs, in bytes. */
const resultSize = 1_600

/** A cached result for a URL, with the facts that determine it. */
interface CachedResult {
  readonly response: PublishedUrl
  readonly cachedSite: CachedSite
  readonly base: string
  /** State of the spaces on the site. */
  readonly state: string
  readonly day: number
  reads: Reads.Reads
  /** Last `Storage.generation` in which the result was confirmed. */
  validatedAt: number
}

/** True if the result depends only on the URL, unless the URL opens a preview. */
const hasNoCredentials = ({ visitor, redirectOnError }: PublishedUrlQuery) =>
  visitor === undefined && redirectOnError === undefined

/** Returns true if a result was resolved at this mount, or without a mount if `mount` is undefined. */
const isOfMount = ({ cachedSite: { site } }: CachedResult, mount: SiteMount | undefined): boolean =>
  site.mountUrl === mount?.url && (mount === undefined || site.id === mount.site)

interface TokenPreview extends AdmittedVisitor {
  readonly preview: Preview
  /** Path segments of the preview, below the base. */
  readonly path: string
  readonly rest: ReadonlyArray<string>
}

export interface FormerPath {
  readonly siteSpace: SiteSpaceId
  /** Absent for the path of a space without a page. */
  readonly page: PageEntry | undefined
  readonly url: string
}

const changeRequestOf = ({ changeRequest }: Preview) => (changeRequest ? { changeRequest: changeRequest.id } : {})

const notFound = new PublishedUrlNotFound({ message: "There is nothing at this URL" })

export class PublishedUrls extends Context.Service<
  PublishedUrls,
  {
    /**
     * Resolves a URL to its site, space and page, and reports if the visitor has to sign in.
     *
     * @param actor Actor of the request. It matters only at `…/preview/{site}`, if it is the visitor of a preview.
     * Default: a visitor.
     * @throws {InvalidInput}
     * @throws {PublishedUrlNotFound} If no site is published at the URL for this visitor.
     */
    readonly resolve: (
      query: PublishedUrlQuery,
      actor?: Actor
    ) => Effect.Effect<PublishedUrl, PublishedUrlNotFound | InvalidInput | StorageError>
    /**
     * Returns the URL of a redirect's destination for a visitor with these claims; undefined if the destination does
     * not exist.
     */
    readonly destinationUrl: (
      cachedSite: CachedSite,
      base: string,
      reader: PathReader,
      destination: Destination
    ) => Effect.Effect<string | undefined, StorageError>
    /**
     * Returns the page that was at a path of the site before and has moved, for this visitor. Undefined if no such page
     * exists, or the path is in use.
     */
    readonly findFormerPath: (
      cachedSite: CachedSite,
      base: string,
      reader: PathReader,
      path: string
    ) => Effect.Effect<FormerPath | undefined, StorageError>
  }
>()("@lectern/core/publishing/urls/PublishedUrls") {
  static readonly layer = Layer.effect(
    PublishedUrls,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const {
        rulesOf,
        isSiteFile,
        visibilityFor,
        isComputed,
        baseSegmentsOf,
        urlOf,
        destinationUrl,
        findPage,
        findSpace
      } = yield* publishedPaths
      const urls = yield* makeSiteUrls
      const keys = yield* VisitorKeys
      const visitors = yield* Visitors
      const tokens = yield* VisitorTokens
      const admittedVisitors = yield* makeAdmittedVisitors
      const sites = yield* sitesUrl

      const session = Effect.fnUntraced(function* (
        { site }: CachedSite,
        { signedOn, key }: AdmissionResult,
        path: string
      ) {
        if (signedOn === undefined || key === undefined) return {}
        const now = yield* Clock.currentTimeMillis
        return {
          session: {
            name: "lectern-visitor" as const,
            value: yield* tokens.session(site, key, signedOn),
            path,
            maxAge: Math.max(0, signedOn.expiresAt - Math.floor(now / 1000))
          }
        }
      })

      const previewSession = Effect.fnUntraced(function* ({ preview, token }: AdmittedPreview, path: string) {
        const now = yield* Clock.currentTimeMillis
        const maxAge = Math.max(0, preview.expiresAt - Math.floor(now / 1000))
        return { session: { name: "lectern-preview" as const, value: token, path, maxAge } }
      })

      /**
       * Returns a preview at `…/preview/{site}`, if the caller authenticates with the preview's token or the request
       * contains the token.
       */
      const findTokenPreview = Effect.fnUntraced(function* (
        query: PublishedUrlQuery,
        url: URL,
        actor: Actor | undefined
      ) {
        if (!url.pathname.includes("/preview/")) return undefined
        const suppliedTokens = [url.searchParams.get("token"), query.visitor?.jwtToken].flatMap((token) => token ?? [])
        for (const visitor of [actor, ...(yield* Effect.forEach(suppliedTokens, tokens.visitor))]) {
          if (visitor?.type !== "visitor" || visitor.preview === undefined) continue
          const siteUrl = yield* urls.preview(url, visitor.site)
          const refreshedVisitor = siteUrl && (yield* admittedVisitors.refresh(siteUrl.cachedSite, visitor))
          if (siteUrl === undefined || refreshedVisitor === undefined) continue
          const previewPath = previewPathIn(siteUrl.segments)
          const isOtherPreview =
            previewPath?.changeRequest !== undefined && previewPath.path !== pathOf(visitor.preview)
          if (isOtherPreview) {
            const observer = yield* RuleObserver
            observer?.add({ rule: "preview", reason: "preview-not-open" })
            return yield* notFound
          }
          return {
            siteUrl,
            preview: {
              ...refreshedVisitor,
              preview: visitor.preview,
              path: "",
              rest: previewPath?.rest ?? siteUrl.segments
            }
          }
        }
        return undefined
      })

      const resolveSite = Effect.fnUntraced(function* (
        query: PublishedUrlQuery,
        url: URL,
        siteUrl: SiteUrl,
        tokenPreview: TokenPreview | undefined
      ) {
        // Keeps the credentials in the URL.
        const redirectTo = (redirect: string, permanent = false): PublishedUrl => ({
          target: "content",
          redirect: redirect + url.search,
          ...(permanent && { permanent })
        })
        const { cachedSite } = siteUrl
        const unsignedClaims = unsignedFromUrl(url, query.visitor?.unsignedClaims)
        // Both tokens are considered: after a sign-in the URL has a token, and the request may still have an older
        // session.
        const suppliedTokens = (name: string) =>
          [url.searchParams.get(name), query.visitor?.jwtToken].flatMap((token) => token ?? [])
        const previewPath = tokenPreview === undefined ? previewPathIn(siteUrl.segments) : undefined
        const admittedPreview =
          previewPath &&
          (yield* visitors.preview(cachedSite, previewPath, {
            tokens: suppliedTokens("token"),
            unsigned: unsignedClaims
          }))
        const preview =
          tokenPreview ?? (admittedPreview && { ...admittedPreview, path: previewPath!.path, rest: previewPath!.rest })
        const observer = yield* RuleObserver
        const observe = (...results: ReadonlyArray<RuleResult>) => results.forEach((result) => observer?.add(result))
        observe({ rule: "site", part: cachedSite.site.title })
        if (preview !== undefined) observe({ rule: "preview" })
        else if (previewPath !== undefined) observe({ rule: "preview", reason: "preview-not-open" })
        const isLink = preview === undefined && cachedSite.site.visibility === "share-link"
        const shareKey = isLink ? siteUrl.segments[0] : undefined
        const admission: AdmissionResult | RefusedAdmission =
          preview ??
          (yield* visitors.admit(cachedSite, {
            shareKey,
            tokens: suppliedTokens("jwt_token"),
            unsigned: unsignedClaims
          }))
        const refusal = "reason" in admission ? admission.reason : undefined
        if (preview === undefined) observe(...admissionRules(cachedSite.site, refusal))
        if ("reason" in admission) return (yield* signOnRedirect(keys, siteUrl, query, url)) ?? (yield* notFound)

        const { claims, kind } = admission.visitor
        const reader = { claims, spaces: preview?.spaces ?? publishedSpaces(cachedSite.site) }
        const key = preview?.path ?? (shareKey === undefined ? "" : `${shareKey}/`)
        const segments = preview?.rest ?? (shareKey === undefined ? siteUrl.segments : siteUrl.segments.slice(1))
        const base =
          preview === undefined || tokenPreview !== undefined
            ? siteUrl.base + key
            : previewUrl(cachedSite.site, sites, preview.preview)
        if (preview === undefined ? siteUrl.moved : base !== `${url.origin}${siteUrl.basePath}${key}`) {
          observe({ rule: "redirect", part: url.pathname })
          return redirectTo(base + segments.map(encodeURIComponent).join("/"))
        }
        const resolved = yield* findPage(cachedSite, segments, reader)
        const isFile = resolved === undefined && (yield* isSiteFile(cachedSite, segments, reader))
        if (resolved === undefined && !isFile) {
          const path = `/${segments.map(encodeURIComponent).join("/")}`
          const redirect = redirectOf(cachedSite.redirects, path)
          const isExternal = redirect?.row.destination.kind === "external"
          const pathOnSite = (url: string) => pathBelow(cachedSite.site, sites, url)
          const hasPage = (path: string) =>
            Effect.map(
              findPage(cachedSite, decodePercent(path).split("/").filter(Boolean), reader),
              (resolvedPath) => resolvedPath?.page !== undefined
            )
          const isEndless = isExternal && (yield* hasEndlessRedirects(cachedSite.redirects, path, pathOnSite, hasPage))
          const target =
            redirect && !isEndless && (yield* destinationUrl(cachedSite, base, reader, redirect.row.destination))
          if (redirect !== undefined && typeof target === "string") {
            const redirectTarget = withRest(target, redirect.rest)
            const { permanent, source } = redirect.row
            observe({ rule: "redirect", part: source })
            // Credentials are removed from redirects to other websites.
            return redirect.row.destination.kind === "external"
              ? ({
                  target: "external",
                  site: cachedSite.site.id,
                  redirect: withQuery(redirectTarget, url),
                  ...(permanent && { permanent })
                } satisfies PublishedUrl)
              : redirectTo(redirectTarget, permanent)
          }
        }
        const isVisible = resolved?.page !== undefined && resolved.page.type !== "group"
        if (isFile) observe({ rule: "page", part: `/${segments.join("/")}` })
        else if (observer !== undefined && (observer.isComplete === true || !isVisible)) {
          observe(...(yield* rulesOf(cachedSite, segments, reader, resolved?.page && resolved)))
        }
        const resolvedPath = resolved ?? (yield* findSpace(cachedSite, segments, reader)) ?? (yield* notFound)
        const { siteSpace, section } = resolvedPath.resolved
        if (resolvedPath.moved) {
          observe({ rule: "redirect", part: url.pathname })
          return redirectTo(yield* urlOf(cachedSite, base, claims, siteSpace.id, resolvedPath.space, resolvedPath.path))
        }
        const siteBasePath = siteUrl.basePath + key
        const names = new Map([siteSpace, ...(section ? [section] : [])].map(({ path }) => [foldPath(path), path]))
        const requestedBase = segments
          .slice(0, segments.length - resolvedPath.resolved.rest.length)
          .map((segment) => names.get(foldPath(segment)) ?? segment)
        const spaceSegments = yield* baseSegmentsOf(cachedSite, claims, siteSpace.id, resolvedPath.space, requestedBase)
        const isDirect = preview !== undefined || cachedSite.site.proxy === undefined
        const canonicalBase = isDirect ? base : publishedUrl(cachedSite.site, sites) + key
        const response: PublishedUrl = {
          object: "published-url",
          organization: cachedSite.site.organization,
          site: cachedSite.site.id,
          ...(section !== undefined && { siteSection: section.id }),
          siteSpace: siteSpace.id,
          space: resolvedPath.space.id,
          ...(resolvedPath.page !== undefined && { page: resolvedPath.page.id }),
          pathname: `/${resolvedPath.path.map(encodeURIComponent).join("/")}`,
          basePath: siteBasePath + spaceSegments.map((segment) => `${encodeURIComponent(segment)}/`).join(""),
          siteBasePath,
          canonicalUrl: yield* urlOf(
            cachedSite,
            canonicalBase,
            claims,
            siteSpace.id,
            resolvedPath.space,
            resolvedPath.path
          ),
          ...(shareKey !== undefined && { shareKey }),
          ...(preview !== undefined && { preview: true, ...changeRequestOf(preview.preview) }),
          complete:
            resolvedPath.resolved.rest.length > 0 ||
            !SitePaths.mayContinue(cachedSite.paths, resolvedPath.resolved, segments, visibilityFor(claims)),
          ...(Object.keys(claims).length > 0 && { contextId: kind }),
          apiToken: yield* tokens.readToken(admission.visitor),
          ...(yield* admittedPreview === undefined
            ? session(cachedSite, admission, siteBasePath)
            : previewSession(admittedPreview, siteBasePath))
        }
        return response
      })

      const cachedResults = new LruCache<string, CachedResult>(maxCachedBytes)

      /** Returns true if a cached result is still valid for its URL. */
      const isCurrent = Effect.fnUntraced(function* (
        { cachedSite, base, state, day }: CachedResult,
        url: string,
        today: number
      ) {
        if (day !== today) return false
        const siteUrl = yield* urls.find(new URL(url))
        if (siteUrl === undefined || siteUrl.moved) return false
        return (
          siteUrl.cachedSite === cachedSite &&
          siteUrl.base === base &&
          (yield* store.spaces(cachedSite.site)).state === state
        )
      })

      const resolve = Effect.fnUntraced(function* (
        rawQuery: PublishedUrlQuery,
        cachedResult: CachedResult | undefined,
        generation: number | undefined,
        today: number,
        actor: Actor | undefined
      ) {
        if (cachedResult !== undefined && generation !== undefined) {
          const [isFresh, reads] = yield* Reads.tracked(isCurrent(cachedResult, rawQuery.url, today))
          if (isFresh) {
            cachedResult.validatedAt = generation
            cachedResult.reads = reads
            return cachedResult.response
          }
        }
        const query = yield* accept(rawQuery)
        const url = new URL(query.url)
        const [{ siteUrl, response }, reads] = yield* Reads.tracked(
          Effect.gen(function* () {
            const tokenPreview = yield* findTokenPreview(query, url, actor)
            const siteUrl = tokenPreview?.siteUrl ?? (yield* urls.find(url))
            if (siteUrl === undefined) {
              const observer = yield* RuleObserver
              observer?.add(siteNotFound(url))
              return yield* notFound
            }
            return { siteUrl, response: yield* resolveSite(query, url, siteUrl, tokenPreview?.preview) }
          })
        )
        if (
          hasNoCredentials(rawQuery) &&
          !("redirect" in response) &&
          response.preview !== true &&
          !url.searchParams.has("jwt_token")
        ) {
          const { cachedSite, base } = siteUrl
          const spacesOfSite = yield* store.spaces(cachedSite.site)
          const { state } = spacesOfSite
          // Only results with a page are cached, since URLs without a page are unlimited in number.
          const isCacheable = response.page !== undefined && !(yield* isComputed(spacesOfSite, response.space))
          // The result is cached only if the store did not change meanwhile, so that all its facts are consistent.
          if (isCacheable && generation !== undefined && (yield* Reads.untracked(storage.generation)) === generation) {
            const size = resultSize + 4 * query.url.length
            cachedResults.set(
              query.url,
              { response, cachedSite, base, state, day: today, reads, validatedAt: generation },
              size
            )
          }
        }
        return response
      })

      return PublishedUrls.of({
        destinationUrl,

        findFormerPath: Effect.fnUntraced(function* (cachedSite, base, reader, path) {
          if (!path.startsWith("/")) return undefined
          const segments = decodePercent(path).split("/").filter(Boolean)
          const resolvedPath = segments.length === 0 ? undefined : yield* findPage(cachedSite, segments, reader)
          if (resolvedPath?.moved !== true) return undefined
          const siteSpace = resolvedPath.resolved.siteSpace.id
          const url = yield* urlOf(cachedSite, base, reader.claims, siteSpace, resolvedPath.space, resolvedPath.path)
          return { siteSpace, page: resolvedPath.page, url }
        }),

        resolve: (rawQuery, actor) =>
          Effect.flatMap(Effect.zip(Reads.untracked(storage.generation), SiteMount), ([generation, mount]) =>
            Effect.flatMap(today, (today) => {
              const isPreview = actor?.type === "visitor" && actor.preview !== undefined
              const resultOfUrl = hasNoCredentials(rawQuery) && !isPreview ? cachedResults.get(rawQuery.url) : undefined
              const cachedResult = resultOfUrl && isOfMount(resultOfUrl, mount) ? resultOfUrl : undefined
              const isFresh =
                cachedResult?.day === today &&
                generation !== undefined &&
                (cachedResult.validatedAt === generation ||
                  !storage.changedSince(cachedResult.reads, cachedResult.validatedAt))
              if (cachedResult === undefined || !isFresh)
                return resolve(rawQuery, cachedResult, generation, today, actor)
              cachedResult.validatedAt = generation
              return Effect.as(
                Reads.addReads((reads) => reads.add(cachedResult.reads)),
                cachedResult.response
              )
            })
          )
      })
    })
  )
}
