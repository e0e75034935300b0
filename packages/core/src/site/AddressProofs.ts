/**
 * Verifies which organization a host belongs to: by a TXT record, or by a response over HTTP. All sites of an
 * organization have the same proof, which differs for each organization.
 *
 * A response over HTTP counts only if the host does not resolve to this server. Otherwise content published here would
 * prove the hostnames of everyone whose records point to this server.
 */
import { Context, Duration, Effect, Option, Result, Schema } from "effect"
import ipaddr from "ipaddr.js"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { MemberTable } from "../organization/Member.ts"
import { type OrganizationId, OrganizationTable } from "../organization/Organization.ts"
import { Storage } from "../storage/Storage.ts"
import { type AddressClaim, type ClaimKind, hostOf, type PendingAddress, proofPath, recordOf } from "./AddressClaim.ts"
import { DomainNames } from "./DomainNames.ts"
import { sitesUrl } from "./SiteAddress.ts"

/**
 * Condition for a proof that the host of a hostname or a proxy belongs to the organization of the site.
 *
 * - `always`: a proof is required.
 * - `auto`: a proof is required if organizations may not trust each other: an administrator of an organization is not an
 *   administrator of the oldest one, which is that of the operator. Also required beyond 100 organizations.
 * - `never`: everyone who may change a site can use any hostname.
 */
export const AddressProof = Schema.Literals(["always", "auto", "never"])
export type AddressProof = typeof AddressProof.Type

/** Default: `auto`. */
export const RequiredProof = Context.Reference<AddressProof>("@lectern/core/site/RequiredProof", {
  defaultValue: () => "auto"
})

/** Limits on the organizations and administrators that are compared. */
const maxOrganizations = 100
const maxAdministrators = 1_000

const timeout = Duration.seconds(5)
const maxBytes = 1024

export const makeAddressProofs = Effect.gen(function* () {
  const requiredProof = yield* RequiredProof
  const storage = yield* Storage
  const organizations = storage.repository(OrganizationTable)
  const members = storage.repository(MemberTable)
  const instance = yield* Instance
  const names = yield* DomainNames
  const fetcher = yield* GuardedFetch
  const ownHosts = [yield* PublicUrl, yield* sitesUrl].flatMap((url) =>
    // All hosts below a wildcard resolve to this server, so any name represents them.
    URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "").replace("*", "sites") : []
  )

  /** True if every administrator of an organization is an administrator of the oldest one. */
  const haveEqualOperator = Effect.gen(function* () {
    const first = yield* organizations.list({ where: {}, order: ["createdAt"], limit: maxOrganizations + 1 })
    const [oldest, ...others] = first.map(({ id }) => id)
    if (oldest === undefined || others.length === 0) return true
    if (first.length > maxOrganizations) return false
    const administrators = yield* members.list({
      where: { organization: { in: [oldest, ...others] }, role: "admin" },
      limit: maxAdministrators + 1
    })
    if (administrators.length > maxAdministrators) return false
    const operators = new Set(
      administrators.flatMap(({ organization, user }) => (organization === oldest ? [user] : []))
    )
    return administrators.every(({ user }) => operators.has(user))
  })

  const isRequired =
    requiredProof === "auto"
      ? Effect.map(haveEqualOperator, (isOne) => !isOne)
      : Effect.succeed(requiredProof === "always")

  const valueOf = (organization: OrganizationId, host: string) =>
    `lectern-verification=${instance.sign("address proof", `${organization} ${host}`)}`

  const recordProblem = (organization: OrganizationId, host: string) =>
    Effect.map(names.texts(recordOf(host)), (texts) =>
      texts.some((text) => text.trim() === valueOf(organization, host))
        ? undefined
        : `There is no TXT record ${recordOf(host)} with the value that proves it`
    )

  /** Returns true if the host resolves, and not to this server. */
  const resolvesElsewhere = Effect.fnUntraced(function* (host: string) {
    const hostAddresses = yield* names.addresses(host)
    const ownAddressLists = yield* Effect.forEach(ownHosts, (ownHost) =>
      ipaddr.isValid(ownHost) ? Effect.succeed([ownHost]) : Effect.orElseSucceed(names.addresses(ownHost), () => [])
    )
    const ownAddresses = new Set([...ownAddressLists.flat(), ...(yield* names.ownAddresses)].map(normalizeAddress))
    return hostAddresses.length > 0 && !hostAddresses.some((address) => ownAddresses.has(normalizeAddress(address)))
  })

  const byResponse = Effect.fnUntraced(function* (organization: OrganizationId, host: string, protocol: string) {
    const { bytes, url } = yield* fetcher.fetch(`${protocol}//${host}${proofPath}`, { maxBytes, timeout })
    // The host of the response is compared, since a redirect to another host proves nothing.
    return new URL(url).hostname === host && new TextDecoder().decode(bytes).trim() === valueOf(organization, host)
  })

  return {
    /** True if proofs are required. */
    isRequired,

    present: (
      organization: OrganizationId,
      type: ClaimKind,
      { name, checkedAt, problem }: AddressClaim
    ): PendingAddress => {
      const host = hostOf(name)
      const value = valueOf(organization, host)
      return {
        type,
        name,
        proof: {
          dns: { type: "TXT", name: recordOf(host), value },
          http: { url: `http://${host}${proofPath}`, body: value }
        },
        ...(checkedAt !== undefined && { checkedAt }),
        ...(problem !== undefined && { problem })
      }
    },

    /** Returns the missing part of the proof, or undefined if the proof is complete. */
    problemOf: Effect.fnUntraced(function* (organization: OrganizationId, name: string) {
      if (!(yield* isRequired)) return undefined
      const host = hostOf(name)
      const record = yield* Effect.result(recordProblem(organization, host))
      if (Result.isSuccess(record) && record.success === undefined) return undefined
      const missingRecord = Result.isSuccess(record) ? record.success! : record.failure.message
      const elsewhere = yield* Effect.option(resolvesElsewhere(host))
      if (Option.isNone(elsewhere) || !elsewhere.value) {
        return `${missingRecord}. ${host} leads to this server or nowhere, so an answer over HTTP proves nothing`
      }
      for (const protocol of ["http:", "https:"]) {
        const response = yield* Effect.result(byResponse(organization, host, protocol))
        if (Result.isSuccess(response) && response.success) return undefined
      }
      return `${missingRecord}, and http://${host}${proofPath} does not answer it`
    })
  }
})

/** Returns an IP address in normalized form. */
const normalizeAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toNormalizedString() : address
