/**
 * Checks a signed assertion against the request: it is from the provider's identity provider, for this service,
 * currently valid, a response to a request, and about a person with an e-mail address. Pure: the time is a parameter.
 *
 * Clocks may differ by a minute.
 */
import { Result, Schema } from "effect"
import { inOneLine } from "../schema/Text.ts"
import { Email, maxDisplayName } from "../user/User.ts"
import type { Assertion, SubjectConfirmation } from "./Assertion.ts"
import type { ServiceProvider } from "./SamlProtocol.ts"
import { SignOnRefused } from "./SignOnRecord.ts"

export const clockSkew = 60_000

const bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

export interface ExpectedAssertion {
  /** Entity id of the identity provider. */
  readonly issuer: string
  readonly service: ServiceProvider
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface AcceptedAssertion {
  readonly assertion: string
  /** Id of the request that the assertion responds to. */
  readonly request: string
  readonly email: string
  readonly name?: string
  /** End of the session according to the identity provider (ms since the epoch). */
  readonly sessionEnd?: number
}

export const accept = (
  assertion: Assertion,
  expected: ExpectedAssertion
): Result.Result<AcceptedAssertion, SignOnRefused> => {
  const { issuer, service, now } = expected
  if (assertion.issuer !== issuer) return refuse("issuer", "It was issued by another identity provider")
  const { audiences } = assertion
  if (audiences.length === 0 || audiences.some((admitted) => !admitted.includes(service.entityID))) {
    return refuse("audience", "Its audience is another service")
  }
  const confirmed = assertion.confirmations.filter(({ method }) => method === bearer)
  const forService = confirmed.filter(({ recipient }) => recipient === service.acsURL)
  if (forService.length === 0) return refuse("recipient", "Its recipient is another URL")
  const confirmation = forService.find((candidate) => isCurrent(candidate, now))
  if (confirmation === undefined || !isWithinPeriod(assertion, now)) {
    return refuse("time", "It is not valid now: it has expired, or the clocks of the two servers differ")
  }
  const session = assertion.sessionNotOnOrAfter
  const sessionEnd = session === undefined ? undefined : timeOf(session)
  if (session !== undefined && (sessionEnd === undefined || sessionEnd <= now)) {
    return refuse("time", "The session at the identity provider has ended")
  }
  if (confirmation.inResponseTo === undefined) {
    return refuse("request", "It belongs to no sign-on request: start at the start URL of this provider")
  }
  const email = emailOf(assertion)
  if (email === undefined) return refuse("person", "It contains no email address")
  const name = nameOf(assertion.attributes)
  return Result.succeed({
    assertion: assertion.id,
    request: confirmation.inResponseTo,
    email,
    ...(name !== undefined && { name }),
    ...(sessionEnd !== undefined && { sessionEnd })
  })
}

const refuse = (reason: SignOnRefused["reason"], message: string) =>
  Result.fail(new SignOnRefused({ reason, message: `The response of the identity provider was rejected. ${message}` }))

/** Returns true if a confirmation is currently valid. A confirmation without an end is invalid. */
const isCurrent = (confirmation: SubjectConfirmation, now: number) =>
  confirmation.notOnOrAfter !== undefined && isWithinPeriod(confirmation, now)

const isWithinPeriod = (
  { notBefore, notOnOrAfter }: Pick<Assertion, "notBefore" | "notOnOrAfter">,
  now: number
): boolean =>
  (notBefore === undefined || (timeOf(notBefore) ?? Infinity) <= now + clockSkew) &&
  (notOnOrAfter === undefined || (timeOf(notOnOrAfter) ?? -Infinity) > now - clockSkew)

/** Parses a time in the format of XML, by default in UTC. Returns undefined for any other text. */
const timeOf = (text: string): number | undefined => {
  const [, zone] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [undefined, null]
  if (zone === null) return undefined
  const time = Date.parse(zone === undefined ? `${text}Z` : text)
  return Number.isNaN(time) ? undefined : time
}

const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"

/** Names of attributes at common identity providers, in order of preference, in lower case. */
const emailNames = ["email", "mail", "emailaddress", `${claims}emailaddress`, "urn:oid:0.9.2342.19200300.100.1.3"]
const fullNames = [
  "displayname",
  "http://schemas.microsoft.com/identity/claims/displayname",
  "urn:oid:2.16.840.1.113730.3.1.241"
]
const givenNames = ["givenname", "firstname", `${claims}givenname`, "urn:oid:2.5.4.42"]
const familyNames = ["sn", "surname", "lastname", "familyname", `${claims}surname`, "urn:oid:2.5.4.4"]
const otherNames = ["cn", "name", "urn:oid:2.5.4.3", `${claims}name`]

const valueOf = (attributes: Assertion["attributes"], names: ReadonlyArray<string>): string | undefined => {
  const valuesByName = new Map(
    Array.from(attributes, ([name, values]) => [name.toLowerCase(), values[0]?.trim()] as const)
  )
  for (const name of names) {
    const value = valuesByName.get(name)
    if (value !== undefined && value !== "") return value
  }
  return undefined
}

const isEmail = Schema.is(Email)

const emailOf = ({ attributes, nameID }: Assertion): string | undefined => {
  const email = valueOf(attributes, emailNames) ?? nameID?.trim()
  return isEmail(email) ? email : undefined
}

/** Returns the display name on one line of at most 100 characters. */
const nameOf = (attributes: Assertion["attributes"]): string | undefined => {
  const parts = [valueOf(attributes, givenNames), valueOf(attributes, familyNames)]
  const whole = parts.filter((part) => part !== undefined).join(" ")
  const name = valueOf(attributes, fullNames) ?? (whole === "" ? valueOf(attributes, otherNames) : whole)
  if (name === undefined || !name.isWellFormed() || name.includes("\u0000")) return undefined
  return inOneLine(name, maxDisplayName) || undefined
}
