/**
 * Assigns sites their requested hostnames and proxies. A request applies at once if no proof is required. Otherwise it
 * applies when it is proved (see `AddressProofs`), and until then the site keeps its addresses. The hostname of the
 * interface is never assigned to a site.
 */
import { Effect, Schema } from "effect"
import { changesOf } from "../audit/Changes.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type Patch, Storage } from "../storage/Storage.ts"
import { type AddressClaims, type ClaimKind, nextCheck } from "./AddressClaim.ts"
import { makeAddressProofs } from "./AddressProofs.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { AddressTaken, type SiteId, type SiteRow } from "./Site.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { SiteStore } from "./store/SiteStore.ts"

/** `check`: number of the check, which distinguishes the check from replaced checks. */
const CheckAddress = Job.kind(
  "check-address",
  Schema.Struct({ site: Schema.String, kind: Schema.String, name: Schema.String, check: Schema.Int })
)

/** Null removes an address; undefined leaves it unchanged. */
export type RequestedAddresses = { readonly [K in ClaimKind]?: string | null | undefined }

export const makeAddressClaiming = Effect.gen(function* () {
  const storage = yield* Storage
  const store = yield* SiteStore
  const jobs = yield* Jobs
  const events = yield* Events
  const addresses = yield* SiteAddresses
  const proofs = yield* makeAddressProofs

  const ownHost = URL.parse(yield* PublicUrl)?.hostname

  const claimOne = Effect.fnUntraced(function* (site: SiteRow, kind: ClaimKind, name: string | null) {
    if (name !== null && name.split("/", 1)[0]!.toLowerCase() === ownHost) {
      // The hostname of the interface is refused, since scripts of a site must not run at its origin.
      return yield* new AddressTaken({ message: `${ownHost} is the hostname of the interface: choose another` })
    }
    const patch = (address: string | null, claims: AddressClaims): Patch<SiteRow> => ({
      [kind]: address ?? undefined,
      claims: Object.keys(claims).length === 0 ? undefined : claims
    })
    const { [kind]: pendingClaim, ...otherClaims } = site.claims ?? {}
    const isCurrent = name !== null && site[kind]?.toLowerCase() === name.toLowerCase()
    if (name === null || isCurrent || !(yield* proofs.isRequired)) {
      yield* addresses.assign(site.id, kind, name)
      return patch(name, otherClaims)
    }
    yield* addresses.requireFree(site.id, kind, name)
    if (pendingClaim?.name === name) return {}
    const claim = { name, since: yield* Timestamps.now, checks: 0 }
    const firstCheck = { site: site.id, kind, name, check: 0 }
    yield* jobs.enqueue(CheckAddress, firstCheck, { key: `${site.id} ${kind} ${name}` })
    return patch(site[kind] ?? null, { ...otherClaims, [kind]: claim })
  })

  /** Returns the site if it still claims the address. */
  const findClaim = Effect.fnUntraced(function* (id: SiteId, kind: ClaimKind, name: string) {
    const site = (yield* store.get(id))?.site
    return site?.claims?.[kind]?.name === name ? site : undefined
  })

  const resolveClaim = (id: SiteId, kind: ClaimKind, name: string, objection: string | undefined) =>
    storage.transaction(
      Effect.gen(function* () {
        const site = yield* findClaim(id, kind, name)
        if (site === undefined) return undefined
        const { [kind]: claim, ...otherClaims } = site.claims!
        const checkedAt = yield* Timestamps.now
        const problem =
          objection ??
          (yield* addresses.assign(id, kind, name).pipe(
            Effect.as(undefined),
            Effect.catchTag("AddressTaken", ({ message }) => Effect.succeed(message))
          ))
        if (problem !== undefined) {
          yield* store.update(site, { claims: { ...otherClaims, [kind]: { ...claim!, checkedAt, problem } } })
          return problem
        }
        yield* store.update(site, {
          [kind]: name,
          claims: Object.keys(otherClaims).length === 0 ? undefined : otherClaims
        })
        yield* events.emit(
          { type: "site_updated", organization: site.organization, site: id },
          { label: site.title, changes: changesOf(site, { ...site, [kind]: name }, [kind]) }
        )
        yield* events.emit({ type: "site_address_proved", organization: site.organization, site: id, kind, name })
        return undefined
      })
    )

  return {
    /**
     * Claims or assigns addresses. Called inside the transaction that changes the site. Returns the patch for the site.
     */
    claim: Effect.fnUntraced(function* (site: SiteRow, { hostname, proxy }: RequestedAddresses) {
      const hostnamePatch = hostname === undefined ? {} : yield* claimOne(site, "hostname", hostname)
      const proxyPatch =
        proxy === undefined ? {} : yield* claimOne({ ...site, ...hostnamePatch } as SiteRow, "proxy", proxy)
      return { ...hostnamePatch, ...proxyPatch }
    }),

    /**
     * Checks a claim now. Returns the missing proof, or undefined if the site has the address or no longer claims it.
     */
    check: Effect.fn("AddressClaiming.check")(function* (id: SiteId, kind: ClaimKind, name: string) {
      const site = yield* findClaim(id, kind, name)
      if (site === undefined) return undefined
      return yield* resolveClaim(id, kind, name, yield* proofs.problemOf(site.organization, name))
    }),

    /** Schedules the next automatic check. */
    checkLater: (id: SiteId, kind: ClaimKind, name: string, check: number) =>
      storage.transaction(
        Effect.gen(function* () {
          const site = yield* findClaim(id, kind, name)
          const claim = site?.claims?.[kind]
          if (site === undefined || claim?.checks !== check) return
          const checkTime = nextCheck(claim, Date.parse(yield* Timestamps.now))
          if (checkTime === undefined) {
            yield* events.emit({ type: "site_address_unproved", organization: site.organization, site: id, kind, name })
            return
          }
          const checks = check + 1
          yield* store.update(site, { claims: { ...site.claims, [kind]: { ...claim, checks } } })
          const payload = { site: id, kind, name, check: checks }
          yield* jobs.enqueue(CheckAddress, payload, { runAt: Timestamps.at(checkTime) })
        })
      )
  }
})

/** Checks a claim, and schedules the next check if it is not proved. */
export const checkAddress = Effect.gen(function* () {
  const claiming = yield* makeAddressClaiming
  return Job.handler(CheckAddress, ({ payload }) =>
    Effect.gen(function* () {
      const { site, kind, name, check } = payload as typeof payload & { site: SiteId; kind: ClaimKind }
      if ((yield* claiming.check(site, kind, name)) === undefined) return
      yield* claiming.checkLater(site, kind, name, check)
    })
  )
})
