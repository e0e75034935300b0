/**
 * Proves the e-mail domains of organizations, and lets users with an address in a proved domain join. Users who were
 * removed by an administrator or disabled need an invitation. A session of single sign-on proves an address only to its
 * own organization, so it neither sees nor joins others.
 */
import { Context, Effect, Result, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { changesOf } from "../audit/Changes.ts"
import { Events } from "../event/Events.ts"
import { Instance } from "../identity/Instance.ts"
import { FormerMemberTable } from "../organization/FormerMember.ts"
import { MemberTable } from "../organization/Member.ts"
import {
  type OrganizationId,
  OrganizationNotFound,
  type OrganizationRow,
  OrganizationTable,
  ownsDomain,
  ownsDomainOf
} from "../organization/Organization.ts"
import { memberRightsOf, makeOrganizationPresenter } from "../organization/OrganizationPresenter.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type ListPage, type InvalidCursor, Paging } from "../paging/Paging.ts"
import { recordOf } from "../site/AddressClaim.ts"
import { DomainNames } from "../site/DomainNames.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { UserTable } from "../user/User.ts"
import { type EmailDomain, EmailDomainNotFound, type OrganizationsOfDomain } from "./EmailDomain.ts"

type Failure = OrganizationNotFound | Forbidden | StorageError

/** Domain names under which a record may exist. */
const domainName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i

const equalsIgnoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export class EmailDomains extends Context.Service<
  EmailDomains,
  {
    /**
     * Lists the domains of an organization with their proofs, for administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<EmailDomain>, Failure | InvalidCursor, CurrentActor>
    /**
     * Checks the proof of a domain now, for administrators. A proved domain stays proved.
     *
     * @param domain Domain, such as `example.com`.
     * @throws {EmailDomainNotFound}
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly prove: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<EmailDomain, Failure | EmailDomainNotFound, CurrentActor>
    /**
     * Returns the organizations that proved a domain, of those that the actor belongs to or may join.
     *
     * @param domain Domain, such as `example.com`.
     */
    readonly organizations: (domain: string) => Effect.Effect<OrganizationsOfDomain, StorageError, CurrentActor>
    /**
     * Adds the current user to an organization that proved the domain of the user's address. Does nothing for a member.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound} For any other address.
     */
    readonly join: (organization: OrganizationId) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/email-domain/EmailDomains") {
  static readonly layer = Layer.effect(
    EmailDomains,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const instance = yield* Instance
      const names = yield* DomainNames
      const organizations = yield* Organizations
      const presenter = yield* makeOrganizationPresenter
      const paging = yield* Paging
      const rows = storage.repository(OrganizationTable)
      const members = storage.repository(MemberTable)
      const formerMembers = storage.repository(FormerMemberTable)
      const users = storage.repository(UserTable)

      const proofOf = ({ id }: OrganizationRow, domain: string) => {
        const name = domain.toLowerCase()
        // The value differs from the proof of a hostname, since a website on a domain says nothing about its mailboxes.
        const value = `lectern-email-verification=${instance.sign("e-mail domain proof", `${id} ${name}`)}`
        return { type: "TXT", name: recordOf(name), value } as const
      }

      const present = (row: OrganizationRow, domain: string, problem?: string): EmailDomain => ({
        object: "email-domain",
        domain,
        proved: ownsDomain(row, domain),
        proof: proofOf(row, domain),
        ...(problem !== undefined && { problem })
      })

      /** Returns why the proof is missing, or undefined if it exists. */
      const problemOf = Effect.fnUntraced(function* (row: OrganizationRow, domain: string) {
        if (!domainName.test(domain)) return `${domain} is no name of a domain`
        const { name, value } = proofOf(row, domain)
        const lookup = yield* Effect.result(names.texts(name))
        if (Result.isFailure(lookup)) return lookup.failure.message
        const exists = lookup.success.some((text) => text.trim() === value)
        return exists ? undefined : `There is no TXT record ${name} with the value that proves it`
      })

      const requireDomain = Effect.fnUntraced(function* (id: OrganizationId, requestedDomain: string) {
        const { organization } = yield* organizations.require(id, "change this organization")
        const domain = organization.emailDomains.find((one) => equalsIgnoringCase(one, requestedDomain))
        if (domain !== undefined) return { organization, domain }
        const message = `The organization has no e-mail domain ${requestedDomain.slice(0, 100)}`
        return yield* new EmailDomainNotFound({ message })
      })

      /** Returns the current user, unless it is a session of single sign-on. */
      const addressOwner = Effect.gen(function* () {
        const actor = yield* CurrentActor
        if (actor.type !== "user" || actor.organization !== undefined) return undefined
        return yield* users.get({ id: actor.user })
      })

      return EmailDomains.of({
        list: Effect.fn("EmailDomains.list")(function* (id, params) {
          const { organization } = yield* organizations.require(id, "change this organization")
          const domains = organization.emailDomains
            .filter((domain, i, allDomains) => allDomains.findIndex((one) => equalsIgnoringCase(one, domain)) === i)
            .toSorted()
          const page = yield* paging.items(domains, `e-mail domains of ${id}`, (domain) => domain, params)
          return { ...page, items: page.items.map((domain) => present(organization, domain)) }
        }),

        prove: Effect.fn("EmailDomains.prove")(function* (id, rawInput) {
          const { organization: before, domain } = yield* requireDomain(id, rawInput)
          if (ownsDomain(before, domain)) return present(before, domain)
          const problem = yield* problemOf(before, domain)
          if (problem !== undefined) return present(before, domain, problem)
          return yield* storage.transaction(
            Effect.gen(function* () {
              // The domain is read again, since it may have been removed in the meantime.
              const { organization } = yield* requireDomain(id, domain)
              const patch = { ownDomains: [...new Set([...(organization.ownDomains ?? []), domain])] }
              const after = applyPatch(OrganizationTable, organization, patch)
              yield* events.emit(
                { type: "organization_updated", organization: id },
                { label: organization.title, changes: changesOf(organization, after, ["ownDomains"]) }
              )
              yield* events.emit({ type: "email_domain_proved", organization: id, domain })
              yield* rows.update({ id }, patch).pipe(cannotConflict)
              return present(after, domain)
            })
          )
        }),

        organizations: Effect.fn("EmailDomains.organizations")(function* (domain) {
          const organizationRows = yield* rows.list({ where: { domains: { any: [domain.toLowerCase()] } } })
          const user = yield* addressOwner
          const visibleOrganizations = yield* Effect.forEach(organizationRows, (row) =>
            organizations.require(row.id, "see this organization").pipe(
              Effect.map(({ member }) => [presenter.present(row, memberRightsOf(member))]),
              Effect.catchTag(["OrganizationNotFound", "Forbidden"], () =>
                Effect.succeed(
                  user !== undefined && ownsDomainOf(row, user.email) ? [presenter.present(row, undefined)] : []
                )
              )
            )
          )
          return { organizations: visibleOrganizations.flat() }
        }),

        join: Effect.fn("EmailDomains.join")(function* (id) {
          const absent = new OrganizationNotFound({ message: `There is no organization ${id}` })
          yield* storage.transaction(
            Effect.gen(function* () {
              const user = yield* addressOwner
              const row = yield* rows.get({ id })
              if (user === undefined || row === undefined) return yield* absent
              const member = yield* members.get({ organization: id, user: user.id })
              if (member?.disabled === false) return
              if (!ownsDomainOf(row, user.email)) return yield* absent
              const wasRemoved = (yield* formerMembers.get({ organization: id, user: user.id })) !== undefined
              if (member !== undefined || wasRemoved) {
                return yield* new Forbidden({
                  message: "You were removed from this organization: ask for an invitation"
                })
              }
              yield* organizations.join(id, user.id, row.defaultRole)
            })
          )
        })
      })
    })
  )
}
