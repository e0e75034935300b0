/**
 * Why a visitor sees the page of a URL, or not: the rules that were checked in order, and the one that decided.
 *
 * Limits: URL as for `PublishedUrl`; claims 2.5 KiB of JSON.
 */
import { Schema } from "effect"
import { Claims, maxBytes } from "../../adaptive/Claims.ts"
import { PageId } from "../../content/pages/Page.ts"
import * as Text from "../../schema/Text.ts"
import { SiteId } from "../../site/Site.ts"
import { SpaceId } from "../../space/Space.ts"
import { Email, UserId } from "../../user/User.ts"
import { PublicUrlText } from "../PublishedUrl.ts"
import { VisibilityReason, VisibilityRule } from "../VisibilityRule.ts"

export const ExplanationParams = Schema.Struct({
  url: PublicUrlText.annotateKey({
    description: "The URL of a page of a site. With an anchor, the block of the anchor is checked too."
  }),
  as: Schema.optionalKey(Email).annotateKey({
    description: "The e-mail address of a visitor, whose signed claim is `email`. Default: a visitor without claims."
  }),
  claims: Schema.optionalKey(Text.between(2, maxBytes)).annotateKey({
    description: "The signed claims of the visitor as a JSON object, instead of `as`."
  })
})
export type ExplanationParams = typeof ExplanationParams.Type

const CheckedRule = Schema.Struct({
  rule: VisibilityRule,
  passed: Schema.Boolean,
  /** Set if the rule did not pass. */
  reason: Schema.optionalKey(VisibilityReason),
  /** One sentence with the setting and, if the rule did not pass, what to change. */
  message: Schema.String
})

export const Explanation = Schema.Struct({
  object: Schema.Literal("explanation"),
  url: Schema.String,
  /** True if the visitor gets the page, and the block of the anchor if the URL has one. */
  visible: Schema.Boolean,
  /** `not-found`: the visitor gets the response 404. `hidden`: the page without the block of the anchor. */
  outcome: Schema.Literals(["visible", "hidden", "redirect", "sign-in", "not-found"]),
  /** Target of a redirect. */
  redirect: Schema.optionalKey(Schema.String),
  site: Schema.optionalKey(SiteId),
  space: Schema.optionalKey(SpaceId),
  page: Schema.optionalKey(PageId),
  visitor: Schema.Struct({
    /** Signed claims for which the URL was checked. */
    claims: Claims,
    /** The member of the organization with the e-mail address. */
    member: Schema.optionalKey(UserId)
  }),
  /** The rule that decided: the first one that did not pass, or the last one. */
  decision: CheckedRule,
  /** All rules in the order in which they were checked. */
  rules: Schema.Array(CheckedRule)
})
export interface Explanation extends Schema.Schema.Type<typeof Explanation> {}
export type CheckedRule = typeof CheckedRule.Type
