/**
 * Which requests have answers that are kept, and what of a request an answer depends on: the same question by the same
 * token has the same answer, as long as that holds.
 */
import type { HttpServerRequest } from "effect/http"
import type { Asked } from "../Asked.ts"
import type { Beside } from "../Beside.ts"
import type { Noted } from "../Observation.ts"
import { type OperationName, routesOf } from "../OperationNames.ts"
import { pathOf } from "../RequestBody.ts"
import { routeOf } from "../Routes.ts"

const content = (
  ["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const
).flatMap((name) => [`spaceContent.${name}`, `changeRequestContent.${name}`, `revisions.${name}`] as const)

/** Operations whose answers come from the store and from nowhere else. */
const keptOperations: ReadonlyArray<OperationName> = [
  ...content,
  "users.me",
  "users.get",
  "organizations.list",
  "organizations.get",
  "members.list",
  "members.get",
  "teams.list",
  "teams.get",
  "teams.listMembers",
  "collections.list",
  "collections.get",
  "collections.listSpaces",
  "spaces.list",
  "spaces.get",
  "spaceGrants.listUsers",
  "spaceGrants.listTeams",
  "spaceComments.list",
  "spaceComments.get",
  "changeRequests.list",
  "changeRequests.get",
  "changeRequests.changes",
  "changeRequestComments.list",
  "changeRequestComments.get",
  "reviews.list",
  "sites.list",
  "sites.get",
  "sites.structure",
  "siteSections.list",
  "siteSectionGroups.list",
  "siteSpaces.list",
  "redirects.list",
  "published.site",
  "openApiSpecs.list",
  "openApiSpecs.get"
]

const kept = routesOf(keptOperations)

/** Headers that an answer may depend on beside the token; who sends one of the second kind is answered anew. */
const askedHeaders = ["accept-encoding", "if-none-match", "origin"] as const
const otherHeaders = ["range", "if-range", "content-length", "transfer-encoding", "expect", "upgrade"] as const

/** The question of a request, whoever asks; undefined for one that is not to be kept. */
const questionOf = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "GET" || url === undefined || headers["host"] === undefined) return undefined
  for (const name of otherHeaders) if (headers[name] !== undefined) return undefined
  let question = url
  for (const name of askedHeaders) question += `\n${headers[name] ?? ""}`
  return question
}

/** A question, and who asks it: answers to one question are kept for each asker. */
export interface Question {
  readonly token: string
  readonly question: string
}

/** Kinds of requests whose answers are kept. */
export interface Kind {
  /** Keep what is asked for once: others will ask for the same. */
  readonly isShared: boolean
  readonly ask: (asked: Asked, source: object) => Question | undefined
  readonly isKept: (request: HttpServerRequest.HttpServerRequest, noted: Noted | undefined) => boolean
}

/** Reads of the interface by a token. */
export const ofInterface: Kind = {
  isShared: false,
  ask: (asked) => {
    const token = asked.headers["authorization"]
    const question = questionOf(asked)
    return question === undefined || typeof token !== "string" ? undefined : { token, question }
  },
  isKept: ({ url }, noted) => kept.has(noted?.route ?? routeOf("GET", pathOf(url)))
}

/** Reads of an application beside the interface (see `Beside`). */
export const ofBeside = ({ questionOf: own }: Pick<Beside, "questionOf">): Kind => ({
  isShared: true,
  ask: (asked, source) => {
    // A question of the interface is asked with a token.
    if (asked.headers["authorization"] !== undefined) return undefined
    const question = questionOf(asked)
    const token = question === undefined ? undefined : own(asked, source)
    return question === undefined || token === undefined ? undefined : { token, question }
  },
  isKept: () => true
})
