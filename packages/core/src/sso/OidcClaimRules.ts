/**
 * Checks verified claims against the request: they are from the issuer, for this client and this request, currently
 * valid, and about a person with a verified e-mail address. Pure: the time is a parameter.
 *
 * An e-mail address is from the ID token or from the user info. It counts only if the one that contains it also states
 * that it is verified.
 *
 * Clocks may differ by a minute. Limits: 1,000 groups, of which names of more than 256 characters are ignored; 256
 * characters for the subject and the session id.
 */
import { Result, Schema } from "effect"
import { inOneLine } from "../schema/Text.ts"
import { Email, maxDisplayName } from "../user/User.ts"
import { clockSkew } from "./AssertionRules.ts"
import type { Claims, VerifiedPerson } from "./OidcProtocol.ts"
import { SignOnRefused } from "./SignOnRecord.ts"

const maxGroups = 1_000
const maxGroupName = 256
const maxIdentifier = 256

export interface ExpectedClaims {
  readonly issuer: string
  readonly clientID: string
  readonly nonce: string
  /** Domains of accepted e-mail addresses; empty for all. */
  readonly emailDomains: ReadonlyArray<string>
  readonly emailVerifiedClaim: string
  /** Absent if groups have no effect. */
  readonly groupsClaim?: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface AcceptedPerson {
  readonly email: string
  readonly name?: string
  readonly subject: string
  /** Id of the session at the identity provider. */
  readonly session?: string
  /** Groups of the person. Empty if groups have no effect. */
  readonly groups: ReadonlyArray<string>
}

export const accept = (
  { claims, userInfo }: Pick<VerifiedPerson, "claims" | "userInfo">,
  expected: ExpectedClaims
): Result.Result<AcceptedPerson, SignOnRefused> => {
  const { issuer, clientID, nonce, now, groupsClaim } = expected
  if (claims["iss"] !== issuer) return refuse("issuer", "It was issued by another identity provider")
  if (!isForClient(claims, clientID)) return refuse("audience", "Its audience is another service")
  if (claims["nonce"] !== nonce) return refuse("request", "It belongs to another request")
  if (!isCurrent(claims, now)) {
    return refuse("time", "It is not valid now: it has expired, or the clocks of the two servers differ")
  }
  const subject = identifier(claims["sub"])
  if (subject === undefined) return refuse("person", "It contains no subject")
  const sources = userInfo === undefined ? [claims] : [claims, userInfo]
  const email = emailOf(sources, expected)
  if (Result.isFailure(email)) return Result.fail(email.failure)
  const groups = groupsClaim === undefined ? [] : groupsOf(sources, groupsClaim)
  if (groups === undefined) {
    return refuse("groups", "It does not list the groups of this person, because there are too many or in another form")
  }
  const name = nameOf(sources)
  const session = identifier(claims["sid"])
  return Result.succeed({
    email: email.success,
    subject,
    groups,
    ...(name !== undefined && { name }),
    ...(session !== undefined && { session })
  })
}

export interface AcceptedLogout {
  /** Id of the token. */
  readonly id: string
  readonly subject?: string
  readonly session?: string
}

/** Event that a log-out token contains. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

/** Maximum age of a log-out token in ms. Used tokens are remembered for this time and the clock skew. */
export const maxLogoutAge = 5 * 60_000

/** Checks the claims of a log-out token. */
export const acceptLogout = (
  claims: Claims,
  { issuer, clientID, now }: Pick<ExpectedClaims, "issuer" | "clientID" | "now">
): Result.Result<AcceptedLogout, SignOnRefused> => {
  if (claims["iss"] !== issuer) return refuse("issuer", "It was issued by another identity provider")
  if (!isForClient(claims, clientID)) return refuse("audience", "Its audience is another service")
  const issuedAt = timeOf(claims["iat"])
  const isOld = issuedAt === undefined || issuedAt > now + clockSkew || issuedAt + maxLogoutAge < now - clockSkew
  const expiry = timeOf(claims["exp"])
  if (isOld || (expiry !== undefined && expiry <= now - clockSkew)) return refuse("time", "It is not valid now")
  const events = claims["events"]
  const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, logoutEvent)
  // A token with a nonce is an ID token, which must not end sessions.
  if (!isLogout || Object.hasOwn(claims, "nonce")) return refuse("malformed", "It is no log-out token")
  const id = identifier(claims["jti"])
  const [subject, session] = [identifier(claims["sub"]), identifier(claims["sid"])]
  if (id === undefined || (subject === undefined && session === undefined)) {
    return refuse("malformed", "It has no id, or names neither a person nor a session")
  }
  return Result.succeed({ id, ...(subject !== undefined && { subject }), ...(session !== undefined && { session }) })
}

const refuse = (reason: SignOnRefused["reason"], message: string) =>
  Result.fail(new SignOnRefused({ reason, message: `The response of the identity provider was rejected. ${message}` }))

const isForClient = ({ aud, azp }: Claims, clientID: string): boolean =>
  Array.isArray(aud) ? aud.includes(clientID) && (aud.length === 1 || azp === clientID) : aud === clientID

const isCurrent = (claims: Claims, now: number): boolean => {
  const expiry = timeOf(claims["exp"])
  const issuedAt = timeOf(claims["iat"])
  const notBefore = claims["nbf"] === undefined ? now : timeOf(claims["nbf"])
  return (
    expiry !== undefined &&
    expiry > now - clockSkew &&
    issuedAt !== undefined &&
    issuedAt <= now + clockSkew &&
    notBefore !== undefined &&
    notBefore <= now + clockSkew
  )
}

/** Converts a time of a token to ms since the epoch. */
const timeOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value * 1000 : undefined

const identifier = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= maxIdentifier ? value : undefined

const isEmail = Schema.is(Email)

/** Some identity providers send texts or numbers instead of booleans. */
const isTrue = (value: unknown): boolean => value === true || value === "true" || value === 1 || value === "1"

const emailOf = (
  sources: ReadonlyArray<Claims>,
  { emailDomains, emailVerifiedClaim }: Pick<ExpectedClaims, "emailDomains" | "emailVerifiedClaim">
): Result.Result<string, SignOnRefused> => {
  const withEmail = sources.flatMap((source) => {
    const email = source["email"]
    return typeof email === "string" && isEmail(email) ? [{ source, email }] : []
  })
  if (withEmail.length === 0) return refuse("person", "It contains no email address")
  const verified = withEmail.find(({ source }) => isTrue(source[emailVerifiedClaim]))
  if (verified === undefined) return refuse("person", "It does not state that the email address is verified")
  const { email } = verified
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  const isAllowed = emailDomains.length === 0 || emailDomains.some((allowed) => allowed.toLowerCase() === domain)
  return isAllowed ? Result.succeed(email) : refuse("person", "Email addresses of this domain can't sign in here")
}

/**
 * Returns the groups of a person: none if the claim is missing. Undefined if the claim has another form, or if the
 * identity provider refers to another place because of the number of groups (`_claim_names`).
 */
const groupsOf = (sources: ReadonlyArray<Claims>, name: string): ReadonlyArray<string> | undefined => {
  const value = sources.map((source) => source[name]).find((claim) => claim !== undefined)
  if (value === undefined) {
    const isElsewhere = sources.some(({ _claim_names: names }) => Object.hasOwn(Object(names), name))
    return isElsewhere ? undefined : []
  }
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  if (values.length > maxGroups || values.some((group) => typeof group !== "string")) return undefined
  return (values as ReadonlyArray<string>).filter((group) => group !== "" && group.length <= maxGroupName)
}

/** Returns the display name on one line of at most 100 characters. */
const nameOf = (sources: ReadonlyArray<Claims>): string | undefined => {
  for (const { name, given_name: given, family_name: family } of sources) {
    const text = isText(name) ? name : [given, family].filter(isText).join(" ")
    const line = text.isWellFormed() && !text.includes("\u0000") ? inOneLine(text, maxDisplayName) : ""
    if (line !== "") return line
  }
  return undefined
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
