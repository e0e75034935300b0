/**
 * Explains to administrators of an organization why a visitor sees the page of a URL of their sites, or not. The URL is
 * resolved as for the visitor (see `PublishedUrls`), with a session that is signed for the given claims. The results of
 * the rules come from the code that decides (see `VisibilityRule`).
 *
 * Sites of other organizations count as missing.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import { Clock, Context, Effect, Schema, Layer } from "effect"
import { Access } from "../../access/Access.ts"
import { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { type Claims, fromToken } from "../../adaptive/Claims.ts"
import type { OrganizationId, OrganizationNotFound } from "../../organization/Organization.ts"
import { Organizations } from "../../organization/Organizations.ts"
import { accepting, InvalidInput } from "../../schema/Input.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { Users } from "../../user/Users.ts"
import { type Preview, previewPathIn } from "../../visitor/Preview.ts"
import { VisitorKeys } from "../../visitor/VisitorKeys.ts"
import { VisitorTokens } from "../../visitor/VisitorTokens.ts"
import { Visitors } from "../../visitor/Visitors.ts"
import { RuleObserver, type RuleResult, siteNotFound } from "../VisibilityRule.ts"
import { PublishedUrls } from "../urls/PublishedUrls.ts"
import { type SiteUrl, makeSiteUrls } from "../urls/SiteUrls.ts"
import { anchorRule } from "./AnchorRule.ts"
import { type CheckedRule, type Explanation, ExplanationParams } from "./Explanation.ts"
import { messageOf } from "./RuleMessages.ts"

/** Lifetime of the session that is signed for the claims, in seconds. */
const sessionLifetime = 60

const accept = accepting(ExplanationParams, "query")

const refuse = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

/** Visitor of an explanation. */
interface ExplainedVisitor {
  readonly claims: Claims
  /** True if the request names a visitor. Otherwise the visitor is not signed in. */
  readonly isSignedIn: boolean
  readonly member: Preview["user"]
}

export class Explanations extends Context.Service<
  Explanations,
  {
    /**
     * Explains which rule decides about a URL. Administrators only.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly explain: (
      organization: OrganizationId,
      params: ExplanationParams
    ) => Effect.Effect<Explanation, OrganizationNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
  }
>()("@lectern/core/publishing/explanation/Explanations") {
  static readonly layer = Layer.effect(
    Explanations,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const access = yield* Access
      const users = yield* Users
      const siteUrls = yield* makeSiteUrls
      const urls = yield* PublishedUrls
      const keys = yield* VisitorKeys
      const tokens = yield* VisitorTokens
      const visitors = yield* Visitors
      const checkAnchor = yield* anchorRule

      const visitorOf = Effect.fnUntraced(function* (organization: OrganizationId, { as, claims }: ExplanationParams) {
        if (as !== undefined && claims !== undefined) {
          return yield* refuse("query.claims", "Expected only one of `as` and `claims`")
        }
        const user = as === undefined ? undefined : yield* users.byEmail(as)
        const membership =
          user &&
          (yield* Effect.provideService(access.membership(organization), CurrentActor, {
            type: "user",
            user: user.id,
            organization
          }))
        return {
          claims: claims === undefined ? (as === undefined ? {} : { email: as }) : yield* claimsOf(claims),
          isSignedIn: as !== undefined || claims !== undefined,
          member: membership && user?.id
        } satisfies ExplainedVisitor
      })

      /** Returns the token that the visitor would have: the session of a signed-in visitor, or the one of a preview. */
      const tokenOf = Effect.fnUntraced(function* (
        { cachedSite, segments }: SiteUrl,
        { claims, isSignedIn, member }: ExplainedVisitor
      ) {
        if (!isSignedIn) return undefined
        const expiresAt = Math.floor((yield* Clock.currentTimeMillis) / 1000) + sessionLifetime
        const previewPath = previewPathIn(segments)
        if (previewPath !== undefined && previewPath.changeRequest === undefined && member !== undefined) {
          return yield* tokens.readToken(visitors.previewVisitor(cachedSite, { user: member, expiresAt }, claims))
        }
        const key = yield* keys.keyFor(cachedSite)
        return key && (yield* tokens.session(cachedSite.site, key, { claims, expiresAt }))
      })

      const rulesFor = Effect.fnUntraced(function* (url: URL, siteUrl: SiteUrl, visitor: ExplainedVisitor) {
        const results: Array<RuleResult> = []
        const jwtToken = yield* tokenOf(siteUrl, visitor)
        const withoutAnchor = new URL(url)
        withoutAnchor.hash = ""
        const resolved = yield* urls
          .resolve({ url: withoutAnchor.href, visitor: jwtToken === undefined ? {} : { jwtToken } })
          .pipe(
            Effect.provideService(RuleObserver, { add: (result) => results.push(result), isComplete: true }),
            Effect.catchTag("PublishedUrlNotFound", () => Effect.undefined)
          )
        const content = resolved === undefined || "redirect" in resolved ? undefined : resolved
        const anchor = decodePercent(url.hash.slice(1))
        if (content?.page !== undefined && anchor !== "" && results.every(({ reason }) => reason === undefined)) {
          const reader = yield* tokens.visitor(content.apiToken)
          if (reader !== undefined) results.push(yield* checkAnchor(reader, content.space, content.page, anchor))
        }
        const redirect = resolved !== undefined && "redirect" in resolved ? resolved.redirect : undefined
        return { results, content, redirect }
      })

      return Explanations.of({
        explain: Effect.fn("Explanations.explain")(function* (organization, rawParams) {
          const params = yield* accept(rawParams)
          yield* organizations.require(organization, "see why visitors don't see a page of this organization")
          const visitor = yield* visitorOf(organization, params)
          const url = new URL(params.url)
          const siteUrl = yield* siteUrls.find(url)
          const site = siteUrl?.cachedSite.site
          const isHere = siteUrl !== undefined && site?.organization === organization
          const { results, content, redirect } = isHere
            ? yield* rulesFor(url, siteUrl, visitor)
            : { ...nothingFound, results: [siteNotFound(url)] }
          const rules = results.map(checkedRule)
          const refused = rules.find(({ passed }) => !passed)
          const visible = content !== undefined && refused === undefined
          return {
            object: "explanation",
            url: params.url,
            visible,
            outcome: visible ? "visible" : outcomeOf(refused, redirect),
            ...(redirect !== undefined && { redirect }),
            ...(isHere && { site: siteUrl.cachedSite.site.id }),
            ...(content !== undefined && { space: content.space }),
            ...(content?.page !== undefined && { page: content.page }),
            visitor: { claims: visitor.claims, ...(visitor.member !== undefined && { member: visitor.member }) },
            decision: refused ?? rules.at(-1)!,
            rules
          }
        })
      })
    })
  )
}

const nothingFound = { content: undefined, redirect: undefined }

const outcomeOf = (refused: CheckedRule | undefined, redirect: string | undefined): Explanation["outcome"] => {
  if (redirect !== undefined) return refused?.rule === "sign-in" ? "sign-in" : "redirect"
  return refused?.rule === "block" ? "hidden" : "not-found"
}

const checkedRule = (result: RuleResult): CheckedRule => ({
  rule: result.rule,
  passed: result.reason === undefined,
  ...(result.reason !== undefined && { reason: result.reason }),
  message: messageOf(result)
})

const ClaimsText = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const claimsOf = (text: string) =>
  Schema.decodeUnknownEffect(ClaimsText)(text).pipe(
    Effect.mapError(() => refuse("query.claims", 'Expected a JSON object: {"plan":"pro"}')),
    Effect.map(fromToken)
  )
