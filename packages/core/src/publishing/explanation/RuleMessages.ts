/** Sentences about the results of rules, with the name of the setting and what to change. */
import type { RuleResult, VisibilityReason, VisibilityRule } from "../VisibilityRule.ts"

/** Maximum length of a value in a sentence, in characters. */
const maxValueLength = 200

type Sentence = (part: string, value: string) => string

const passed: Readonly<Record<VisibilityRule, Sentence>> = {
  site: (part) => `The URL belongs to the site ${part}.`,
  preview: () => "The token of the request opens this preview.",
  published: () => "The site is published.",
  audience: (_, value) => `The visibility of the site is \`${value}\`: everyone is admitted.`,
  "share-link": () => "The URL contains the key of an active share link.",
  "sign-in": () => "The visitor is signed in with a valid token.",
  redirect: (part) => `The path ${part} redirects: it is the source of a redirect, or the page or the site has moved.`,
  section: (part, value) => `The section ${part} is visible${because(value)}.`,
  "site-space": (part, value) => `The site space ${part} is visible${because(value)}.`,
  space: (part) => `The space ${part} is readable through the site.`,
  page: (part, value) => `The page ${part} is visible${because(value)}.`,
  block: (part) => `The page contains a block with the anchor ${part}.`
}

const because = (condition: string) => (condition === "" ? "" : `: its \`condition\` ${condition} is true`)

const isFalse = (kind: string, part: string, condition: string, where: string) =>
  `The \`condition\` of the ${kind} ${part} is false for these claims or invalid: ${condition}. Change the condition ${where}, or the claims of the visitor.`

const failed: Readonly<Record<VisibilityReason, Sentence>> = {
  "site-not-found": (part) =>
    `No site of this organization has the address ${part}. Check the URL, and the \`hostname\`, \`proxy\` and \`basename\` of the site.`,
  "preview-not-open": () =>
    "No token opens this preview, or it has ended. Create a new link with the operation `previews.url`.",
  "site-unpublished": () => "The site is not published (`published` is false). Publish the site.",
  "share-link-missing": () =>
    "The `visibility` of the site is `share-link`, and the URL does not contain the key of a share link. Send the visitor the URL of a share link.",
  "share-link-inactive": () =>
    "The URL contains the key of a share link that is not `active`. Activate the share link, or send the visitor another one.",
  "sign-in-required": () =>
    "The `visibility` of the site is `visitor-auth`, and the visitor is not signed in. The visitor has to sign in; set the `fallbackURL` of the visitor authentication, so that the site sends visitors there.",
  "sign-in-invalid": () =>
    "The `visibility` of the site is `visitor-auth`, and the token of the visitor is expired or not signed with the `privateKey` of the site. Sign the token with this key and an `exp` in the future.",
  "sign-in-off": () =>
    "The `visibility` of the site is `visitor-auth`, and its `backend` is an integration that is not active on the site. Install the integration on the site, or set `backend` to `custom`.",
  "section-condition": (part, value) => isFalse("section", part, value, "in the section"),
  "site-space-condition": (part, value) => isFalse("site space", part, value, "in the site space"),
  "site-empty": () => "The site contains no space. Add a space to the site.",
  "space-deleted": (part) => `The space ${part} is in the trash. Restore the space.`,
  "space-visibility": (part, value) =>
    `The \`visibility\` of the space ${part} is \`${value}\`, which this site does not show. Change the \`visibility\` of the space to \`public\`.`,
  "space-no-access": (part) =>
    `The viewer of the preview may not see the space ${part}. Give the member a role on the space.`,
  "page-not-found": (part) =>
    `No page has the path ${part} now or had it before, and no redirect applies. Check the URL, merge the change request that adds the page, or add a redirect.`,
  "page-condition": (part, value) => isFalse("page", part, value, "of the page"),
  "space-empty": (part) => `The space ${part} contains no page. Merge a change request that adds one.`,
  "group-empty": (part) =>
    `The page ${part} is a group without a page that the visitor sees. Add a page to the group, or change the \`condition\` of its pages.`,
  "block-condition": (part, value) => isFalse("block with the anchor", part, value, "of the enclosing `if` block"),
  "block-hidden": (part) =>
    `The block with the anchor ${part} is not part of the page for visitors. Replace the block by a type that sites show.`,
  "anchor-not-found": (part) => `No block of the page has the anchor ${part}. Check the anchor in the URL.`
}

export const messageOf = ({ rule, reason, part = "", value = "" }: RuleResult): string => {
  const sentence = reason === undefined ? passed[rule] : failed[reason]
  return sentence(quoted(part), value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value)
}

const quoted = (part: string) => `"${part.slice(0, maxValueLength)}"`
