/**
 * The rules that decide whether a visitor sees the page of a URL, and the reasons for which they refuse. The code that
 * decides returns the reason, and reports its results to a `RuleObserver` if there is one. `Explanations` and the access
 * log only collect these results.
 *
 * Visitors never receive a reason: their response is equal for all reasons.
 */
import { Context, Schema } from "effect"

/** Reasons by rule, in the order in which the rules are checked. */
export const reasonsByRule = {
  /** A site has the host and path of the URL. */
  site: ["site-not-found"],
  /** The token of the request opens the preview of the URL. */
  preview: ["preview-not-open"],
  published: ["site-unpublished"],
  /** Visibility of the site: public or unlisted. */
  audience: [],
  /** Visibility of the site: share link. */
  "share-link": ["share-link-missing", "share-link-inactive"],
  /** Visibility of the site: visitor authentication. */
  "sign-in": ["sign-in-required", "sign-in-invalid", "sign-in-off"],
  redirect: [],
  section: ["section-condition"],
  "site-space": ["site-space-condition", "site-empty"],
  space: ["space-deleted", "space-visibility", "space-no-access"],
  page: ["page-not-found", "page-condition", "space-empty", "group-empty"],
  /** The block of the anchor is part of the page. */
  block: ["block-condition", "block-hidden", "anchor-not-found"]
} as const

export type VisibilityRule = keyof typeof reasonsByRule
export type VisibilityReason = (typeof reasonsByRule)[VisibilityRule][number]

export const VisibilityRule = Schema.Literals(Object.keys(reasonsByRule) as ReadonlyArray<VisibilityRule>)
export const VisibilityReason = Schema.Literals(Object.values(reasonsByRule).flat())

export interface RuleResult {
  readonly rule: VisibilityRule
  /** Undefined if the rule passed. */
  readonly reason?: VisibilityReason | undefined
  /** Title or path of the part that the rule is about. */
  readonly part?: string
  /** Value of the setting, such as a condition or a visibility. */
  readonly value?: string | undefined
}

/** Returns the result for a URL without a site. */
export const siteNotFound = ({ host, pathname }: URL): RuleResult => ({
  rule: "site",
  reason: "site-not-found",
  part: host + pathname
})

export interface RuleObserver {
  readonly add: (result: RuleResult) => void
  /** True to report the rules of a page that is visible. Default: false, since this takes further reads. */
  readonly isComplete?: boolean
}

/** Receives the results of the rules for each URL that is resolved. Default: none. */
export const RuleObserver = Context.Reference<RuleObserver | undefined>("@lectern/core/publishing/RuleObserver", {
  defaultValue: () => undefined
})
