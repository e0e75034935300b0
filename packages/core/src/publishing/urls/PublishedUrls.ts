/**
 * Tells where a URL of a published site leads, for whoever renders it: to the site, the section, the
 * site space and the page, or on to where that is now. Whoever asks is a renderer; what counts is
 * what the visitor shows. What is not published for the visitor is as if it were not there. Where a
 * site is there and no page, the answer says which space the rest of the URL is of, so that whoever
 * renders finds its own files there (`robots.txt`, `page.md`), or nothing.
 *
 * Where URLs led that show no token is kept in memory, those asked for last (32 MiB), until something
 * that decides about it changes: an address, the site and what is kept with it, a space on it.
 */
import { Clock, Context, Effect } from "effect"
import { type Claims, unsignedFromUrl } from "../../adaptive/Claims.ts"
import { Lru } from "../../storage/Lru.ts"
import type { Destination } from "../../redirect/Redirect.ts"
import { appended, redirectOf } from "../../redirect/RedirectMatch.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import { publishedUrl, sitesUrl } from "../../site/SiteAddress.ts"
import * as SitePaths from "../../site/SitePaths.ts"
import { type KeptSite, SiteStore } from "../../site/store/SiteStore.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { type PublishedUrl, PublishedUrlNotFound, PublishedUrlQuery } from "../PublishedUrl.ts"
import { signOnParams } from "../../integration/SignOnRequest.ts"
import { publishedPaths } from "../PublishedPaths.ts"
import { type SiteUrl, SiteUrls } from "./SiteUrls.ts"
import { type Admitted, Visitors } from "../../visitor/Visitors.ts"
import { VisitorKeys } from "../../visitor/VisitorKeys.ts"
import { dayOf, VisitorTokens } from "../../visitor/VisitorTokens.ts"
import { ComputedContents } from "../../computed/ComputedContents.ts"
import { ComputedSources } from "../../computed/ComputedSources.ts"
import { Objects } from "../../content/store/Objects.ts"
import { PageAliases } from "../../content/pages/PageAliases.ts"
import { TopNames } from "../../content/pages/TopNames.ts"
import { Revisions } from "../../content/revisions/Revisions.ts"
import { wired } from "../../wiring/Wired.ts"

const accept = accepting(PublishedUrlQuery)

const keptText = 32 * 1024 * 1024
/** Memory of an answer beside its URLs, roughly: its text, and the values that it is written from. */
const answerSize = 1_600

/** An answer for a URL, and the facts that decided it. */
interface Known {
  readonly answer: PublishedUrl
  readonly kept: KeptSite
  readonly base: string
  /** Of the spaces on the site. */
  readonly state: string
  readonly day: number
  /** The generation in which all that was last looked up. */
  seen: number
}

/** True where the answer depends on the URL alone. */
const showsNothing = ({ visitor, redirectOnError }: PublishedUrlQuery) =>
  visitor === undefined && redirectOnError === undefined

const nothing = new PublishedUrlNotFound({ message: "There is nothing at this URL" })

export class PublishedUrls extends Context.Service<
  PublishedUrls,
  {
    /**
     * Answers which site, space and page a URL leads to, and whether its visitor has to sign on.
     * `PublishedUrlNotFound` where no site is published there for them.
     */
    readonly resolve: (
      query: PublishedUrlQuery
    ) => Effect.Effect<PublishedUrl, PublishedUrlNotFound | InvalidInput | StorageError>
    /** The URL that a redirect comes to for a visitor with these claims; undefined where that is not there. */
    readonly destination: (
      kept: KeptSite,
      base: string,
      claims: Claims,
      destination: Destination
    ) => Effect.Effect<string | undefined, StorageError>
  }
>()("@lectern/core/publishing/urls/PublishedUrls") {
  static readonly layer = wired(
    PublishedUrls,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const { visibleTo, isComputed, baseOf, urlOf, destination, within, beside } = yield* publishedPaths
      const urls = yield* SiteUrls
      const keys = yield* VisitorKeys
      const visitors = yield* Visitors
      const tokens = yield* VisitorTokens
      const sites = yield* sitesUrl

      /** The URL at which a visitor signs on who was not let in; undefined where the site has none. */
      const signOn = Effect.fnUntraced(function* (found: SiteUrl, query: PublishedUrlQuery, url: URL) {
        const { kept, segments } = found
        const { site, auth } = kept
        if (!site.published || site.visibility !== "visitor-auth") return undefined
        const showsToken = query.visitor?.jwtToken !== undefined || url.searchParams.has("jwt_token")
        if (showsToken && query.redirectOnError === false) return undefined
        const { login } = yield* keys.urls(kept)
        if (login === undefined) return undefined
        // A token that let nobody in would stand before the one that they come back with.
        const wanted = new URL(url)
        if (wanted.searchParams.has("jwt_token")) wanted.searchParams.delete("jwt_token")
        const leads = new URL(login)
        // Integrations put it behind the URL of the site, applications behind their own.
        const path = auth?.backend === "integration" ? segments.map(encodeURIComponent).join("/") : wanted.pathname
        leads.searchParams.set("location", `${path}${wanted.search}`)
        for (const name of signOnParams) {
          const value = url.searchParams.get(name)
          if (auth?.backend === "integration" && value !== null) leads.searchParams.set(name, value)
        }
        return { target: "external", site: site.id, redirect: leads.href } satisfies PublishedUrl
      })

      const session = Effect.fnUntraced(function* ({ site }: KeptSite, { signedOn, key }: Admitted, path: string) {
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

      const lead = Effect.fnUntraced(function* (query: PublishedUrlQuery, url: URL, found: SiteUrl) {
        // What the visitor shows in the URL goes along.
        const leadsTo = (redirect: string): PublishedUrl => ({ target: "content", redirect: redirect + url.search })
        const { kept } = found
        const [first] = found.segments
        const isLink = kept.site.visibility === "share-link" && first !== undefined
        const shareKey = isLink && kept.shareLinkOf(first) !== undefined ? first : undefined
        const admitted = yield* visitors.admit(kept, {
          shareKey,
          // Who has just signed on comes with a token in the URL, and maybe with an older session.
          tokens: [url.searchParams.get("jwt_token"), query.visitor?.jwtToken].flatMap((token) => token ?? []),
          unsigned: unsignedFromUrl(url, query.visitor?.unsignedClaims)
        })
        if (admitted === undefined) return (yield* signOn(found, query, url)) ?? (yield* nothing)

        const { claims, kind } = admitted.visitor
        const key = shareKey === undefined ? "" : `${shareKey}/`
        const base = found.base + key
        const segments = shareKey === undefined ? found.segments : found.segments.slice(1)
        if (found.moved) {
          return leadsTo(base + segments.map(encodeURIComponent).join("/"))
        }
        const there = yield* within(kept, segments, claims)
        if (there === undefined) {
          const redirect = redirectOf(kept.redirects, `/${segments.map(encodeURIComponent).join("/")}`)
          const target = redirect && (yield* destination(kept, base, claims, redirect.row.destination))
          if (redirect !== undefined && target !== undefined) {
            const redirected = appended(target, redirect.rest)
            // What the visitor shows in the URL is not for others.
            return redirect.row.destination.kind === "external"
              ? ({ target: "external", site: kept.site.id, redirect: redirected } satisfies PublishedUrl)
              : leadsTo(redirected)
          }
        }
        const at = there ?? (yield* beside(kept, segments, claims)) ?? (yield* nothing)
        const { siteSpace, section } = at.resolved
        if (at.moved) {
          return leadsTo(yield* urlOf(kept, base, claims, siteSpace.id, at.space, at.path))
        }
        const siteBasePath = found.basePath + key
        const named = segments.slice(0, segments.length - at.resolved.rest.length)
        const before = yield* baseOf(kept, claims, siteSpace.id, at.space, named)
        const canonicalBase = found.kept.site.proxy === undefined ? base : publishedUrl(found.kept.site, sites) + key
        const answer: PublishedUrl = {
          object: "published-url",
          organization: kept.site.organization,
          site: kept.site.id,
          ...(section !== undefined && { siteSection: section.id }),
          siteSpace: siteSpace.id,
          space: at.space.id,
          ...(at.page !== undefined && { page: at.page.id }),
          pathname: `/${at.path.map(encodeURIComponent).join("/")}`,
          basePath: siteBasePath + before.map((segment) => `${encodeURIComponent(segment)}/`).join(""),
          siteBasePath,
          canonicalUrl: yield* urlOf(kept, canonicalBase, claims, siteSpace.id, at.space, at.path),
          ...(shareKey !== undefined && { shareKey }),
          complete:
            at.resolved.rest.length > 0 || !SitePaths.mayGoOn(kept.paths, at.resolved, segments, visibleTo(claims)),
          ...(Object.keys(claims).length > 0 && { contextId: kind }),
          apiToken: yield* tokens.readToken(admitted.visitor),
          ...(yield* session(kept, admitted, siteBasePath))
        }
        return answer
      })

      const known = new Lru<string, Known>(keptText)

      /** Tells whether a kept answer still holds for its URL. */
      const holds = Effect.fnUntraced(function* ({ kept, base, state, day }: Known, url: string, today: number) {
        if (day !== today) return false
        const found = yield* urls.find(new URL(url))
        if (found === undefined || found.moved) return false
        return found.kept === kept && found.base === base && (yield* store.spaces(kept.site)).state === state
      })

      const resolve = Effect.fnUntraced(function* (
        wanted: PublishedUrlQuery,
        led: Known | undefined,
        generation: number | undefined,
        today: number
      ) {
        if (led !== undefined && generation !== undefined && (yield* holds(led, wanted.url, today))) {
          led.seen = generation
          return led.answer
        }
        const query = yield* accept(wanted)
        const url = new URL(query.url)
        const found = yield* urls.find(url)
        if (found === undefined) return yield* nothing
        const answer = yield* lead(query, url, found)
        if (showsNothing(wanted) && !("redirect" in answer) && !url.searchParams.has("jwt_token")) {
          const { kept, base } = found
          const spacesOfSite = yield* store.spaces(kept.site)
          const { state } = spacesOfSite
          // Of URLs without a page there is no end.
          const isKept = answer.page !== undefined && !(yield* isComputed(spacesOfSite, answer.space))
          // Unless something was committed meanwhile, all of it belongs together.
          if (isKept && generation !== undefined && (yield* storage.generation) === generation) {
            const size = answerSize + 4 * query.url.length
            known.set(query.url, { answer, kept, base, state, day: today, seen: generation }, size)
          }
        }
        return answer
      })

      return PublishedUrls.of({
        destination,

        resolve: (wanted) =>
          Effect.flatMap(storage.generation, (generation) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const today = dayOf(now)
              const led = showsNothing(wanted) ? known.get(wanted.url) : undefined
              return led !== undefined && led.seen === generation && led.day === today
                ? Effect.succeed(led.answer)
                : resolve(wanted, led, generation, today)
            })
          )
      })
    }),
    [
      ComputedContents.layer,
      ComputedSources.layer,
      Objects.layer,
      PageAliases.layer,
      Revisions.layer,
      SiteStore.layer,
      SiteUrls.layer,
      TopNames.layer,
      VisitorKeys.layer,
      VisitorTokens.layer,
      Visitors.layer
    ]
  )
}
