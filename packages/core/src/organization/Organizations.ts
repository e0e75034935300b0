/** Creates, reads and updates organizations, and adds members. */
import { Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import { CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import { requireHost } from "../access/HostOnly.ts"
import type { Role } from "../access/Role.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { requireValidRules } from "../merge-rules/MergeRuleInput.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SiteId, SiteTable } from "../site/Site.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import { uploadClaims } from "../upload/UploadClaims.ts"
import type { EmailInUse, UserId } from "../user/User.ts"
import { type LastAdministrator, MemberTable } from "./Member.ts"
import { acceptHostMembers, type HostMember, makeMemberSync, type MemberChanges } from "./MemberSync.ts"
import { makeMembershipWrites } from "../membership/MembershipWrites.ts"
import {
  HostnameInUse,
  type Organization,
  OrganizationCreate,
  OrganizationId,
  OrganizationNotFound,
  OrganizationPatch,
  type OrganizationRow,
  OrganizationTable,
  ownsDomain,
  TooManyOrganizations
} from "./Organization.ts"
import { OrganizationCreation } from "./OrganizationCreation.ts"
import { type OrganizationAction, rules } from "./OrganizationPolicy.ts"
import { memberRightsOf, makeOrganizationPresenter } from "./OrganizationPresenter.ts"
import { type Subdomain, SubdomainNotFound } from "./Subdomain.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"

const acceptCreate = accepting(OrganizationCreate)
const acceptPatch = accepting(OrganizationPatch)

export interface AuthorizedOrganization {
  readonly organization: OrganizationRow
  readonly member: Membership
}

export class Organizations extends Context.Service<
  Organizations,
  {
    /**
     * Returns the organization if the actor may perform the action. `OrganizationNotFound` if the actor is not a
     * member.
     */
    readonly require: (
      id: OrganizationId,
      action: OrganizationAction
    ) => Effect.Effect<AuthorizedOrganization, OrganizationNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Returns an organization of the actor.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound} If the actor is not a member.
     */
    readonly get: (
      id: OrganizationId
    ) => Effect.Effect<Organization, OrganizationNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Lists the organizations of the actor, oldest first.
     *
     * @throws {InvalidCursor}
     */
    readonly list: (
      params: PageParams
    ) => Effect.Effect<ListPage<Organization>, InvalidCursor | StorageError, CurrentActor>
    /**
     * Creates an organization.
     *
     * @param administrator Id of the user who becomes the administrator. Only the host application may choose it.
     * Default: the current user. An organization of the host has no administrator by default.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {TooManyOrganizations}
     * @example
     * ```ts
     * const ada = await lectern.users.create({ email: "ada@example.com", displayName: "Ada" })
     * const organization = await lectern.organizations.create({ title: "Acme" }, ada.id)
     * ```
     */
    readonly create: (
      input: OrganizationCreate,
      administrator?: UserId
    ) => Effect.Effect<Organization, InvalidInput | Forbidden | TooManyOrganizations | StorageError, CurrentActor>
    /**
     * Changes the fields in the patch, for administrators. Other fields keep their values. A patch that changes nothing
     * writes nothing.
     *
     * @throws {Forbidden}
     * @throws {HostnameInUse} If another organization has the hostname.
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly update: (
      id: OrganizationId,
      patch: OrganizationPatch
    ) => Effect.Effect<
      Organization,
      OrganizationNotFound | HostnameInUse | InvalidInput | Forbidden | StorageError,
      CurrentActor
    >
    /**
     * Adds a user as a member. An existing member gets the role and is enabled.
     *
     * @param role Role, or `null` for a guest.
     * @example
     * ```ts
     * const eve = await lectern.users.create({ email: "eve@example.com" })
     * await lectern.organizations.join(organization.id, eve.id, "edit")
     * ```
     */
    readonly join: (id: OrganizationId, user: UserId, role: Role | null) => Effect.Effect<void, StorageError>
    /**
     * Makes the host's users in the list the members of an organization, with their roles. Creates missing users and
     * updates names and addresses like `users.sync`. Removes members who are users of the host and missing in the list;
     * other members stay. Writes nothing if nothing changed. Changes are committed in groups of 100, administrators
     * first: a failure keeps the groups before it, and a second call continues. For the host application only.
     *
     * @param members All users of the host who are members, at most 10,000. Each external id occurs once.
     * @throws {EmailInUse} If another user has one of the addresses.
     * @throws {Forbidden} For all actors except the host application.
     * @throws {InvalidInput} For more than 10,000 members or an external id that occurs twice.
     * @throws {LastAdministrator} If the organization would lose its last administrator.
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const { added, removed } = await lectern.organizations.syncMembers(organization.id, [
     *   { externalId: "customer-42", email: "grace@example.com", displayName: "Grace", role: "admin" },
     *   { externalId: "customer-43", email: "alan@example.com", role: "edit" }
     * ])
     * console.log(added.length, removed.length)
     * ```
     */
    readonly syncMembers: (
      id: OrganizationId,
      members: ReadonlyArray<HostMember>
    ) => Effect.Effect<
      MemberChanges,
      OrganizationNotFound | EmailInUse | LastAdministrator | InvalidInput | Forbidden | StorageError,
      CurrentActor
    >
    /**
     * Returns the organization that has a subdomain.
     *
     * @param subdomain Subdomain: `hostname` of the organization.
     * @throws {Forbidden}
     * @throws {SubdomainNotFound} If no organization has the subdomain, or the actor may not see the organization.
     */
    readonly subdomain: (
      subdomain: string
    ) => Effect.Effect<Subdomain, SubdomainNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/organization/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const access = yield* Access
      const events = yield* Events
      const paging = yield* Paging
      const presenter = yield* makeOrganizationPresenter
      const organizations = storage.repository(OrganizationTable)
      const members = storage.repository(MemberTable)
      const teamMembers = storage.repository(TeamMemberTable)
      const sites = storage.repository(SiteTable)
      const limits = yield* OrganizationCreation
      const uploads = yield* uploadClaims
      const publicUrl = yield* PublicUrl
      const memberships = yield* makeMembershipWrites
      const memberSync = yield* makeMemberSync

      const require = Effect.fnUntraced(function* (id: OrganizationId, action: OrganizationAction) {
        const absent = () => new OrganizationNotFound({ message: `There is no organization ${id}` })
        const member = yield* access.membership(id)
        if (member === undefined) return yield* absent()
        const { organization } = member.facts
        const leastRole = rules[action]
        // A guest has no role, but is a member.
        if (leastRole !== "member") {
          if (member.role === null)
            return yield* new Forbidden({ message: `To ${action}, you need the role ${leastRole}; you are a guest` })
          yield* authorize(member.role, leastRole, absent, action)
        }
        return { organization, member }
      })

      const join = (id: OrganizationId, user: UserId, role: Role | null) =>
        storage.transaction(memberships.join(id, user, role))

      const requireCreator = Effect.fnUntraced(function* (user: UserId) {
        const { creators, perUser } = limits
        if (creators === "operator") {
          return yield* new Forbidden({ message: "Organizations are made by the operator of this server" })
        }
        if (creators === "admins" && (yield* members.count({ user, disabled: false, role: "admin" })) === 0) {
          return yield* new Forbidden({
            message: "To create an organization, you must be an administrator of another one"
          })
        }
        if ((yield* organizations.count({ maker: user })) >= perUser) {
          return yield* new TooManyOrganizations({
            message: `You have made ${perUser} organizations, as many as you may`
          })
        }
      })

      return Organizations.of({
        require,
        join,

        syncMembers: Effect.fn("Organizations.syncMembers")(function* (id, rawInput) {
          yield* requireHost("say who the members of an organization are")
          const list = yield* acceptHostMembers(rawInput)
          return yield* memberSync(yield* require(id, "manage the members of this organization"), list)
        }),

        get: Effect.fn("Organizations.get")(function* (id) {
          const { organization, member } = yield* require(id, "see this organization")
          return presenter.present(organization, memberRightsOf(member))
        }),

        list: Effect.fn("Organizations.list")(function* (params) {
          const actor = yield* CurrentActor
          if (actor.type === "host") {
            const page = yield* paging.rows(OrganizationTable, "organizations", { where: {} }, params)
            return { ...page, items: page.items.map((row) => presenter.present(row, creatorRights)) }
          }
          if (actor.type !== "user") return { items: [], count: 0 }
          const memberships = yield* paging.rows(
            MemberTable,
            `organizations of ${actor.user}`,
            {
              where: {
                user: actor.user,
                disabled: false,
                ...(actor.organization !== undefined && { organization: actor.organization })
              },
              order: ["organization"]
            },
            params
          )
          const ownedTeams = new Set(
            (yield* teamMembers.list({ where: { user: actor.user } })).flatMap((row) =>
              row.role === "owner" ? row.organization : []
            )
          )
          const rows = yield* organizations.getMany(
            memberships.items.map((row) => ({ id: OrganizationId.make(row.organization) }))
          )
          return {
            ...memberships,
            items: memberships.items.flatMap(({ role }, i) => {
              const row = rows[i]
              return row === undefined
                ? []
                : [presenter.present(row, { role, admin: role === "admin", ownsTeam: ownedTeams.has(row.id) })]
            })
          }
        }),

        create: Effect.fn("Organizations.create")(function* (rawInput, administrator) {
          const input = yield* acceptCreate(rawInput)
          const actor = yield* CurrentActor
          if (actor.type !== "user" && actor.type !== "host") {
            return yield* new Forbidden({ message: "Only people make organizations" })
          }
          if (actor.type === "user" && actor.organization !== undefined) {
            return yield* new Forbidden({ message: "A session of one organization makes no other" })
          }
          const isHost = actor.type === "host"
          const user = isHost ? administrator : actor.user
          const id = OrganizationId.make(yield* ids.next)
          const row: OrganizationRow = {
            id,
            title: input.title,
            // Initial hostname. It is unique, since ids differ in their last characters.
            hostname: `org-${id.slice(-14).toLowerCase()}`,
            emailDomains: input.emailDomains ?? [],
            ...(isHost ? { ownDomains: input.emailDomains ?? [] } : { maker: actor.user }),
            defaultRole: "read",
            sso: false,
            ai: false,
            inviteLinks: true,
            createdAt: yield* Timestamps.now
          }
          yield* storage.transaction(
            Effect.gen(function* () {
              if (!isHost) yield* requireCreator(actor.user)
              yield* organizations.insert(row).pipe(cannotConflict)
              yield* events.emit({ type: "organization_created", organization: id }, { label: row.title })
              if (user !== undefined) yield* join(id, user, "admin")
            })
          )
          return presenter.present(row, creatorRights)
        }),

        update: Effect.fn("Organizations.update")(function* (id, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { organization, member } = yield* require(id, "change this organization")
              const { defaultContent, logo, ...rest } = patch
              const emailDomains = patch.emailDomains
              const isVouched = (yield* CurrentActor).type === "host"
              const ownDomains = emailDomains?.filter((domain) => isVouched || ownsDomain(organization, domain))
              if (defaultContent && (yield* sites.get({ id: SiteId.make(defaultContent.site) }))?.organization !== id) {
                const message = "There is no such site in this organization"
                return yield* new InvalidInput({ issues: [{ path: "body.defaultContent.site", message }] })
              }
              yield* uploads.named(id, logo, "body.logo")
              yield* requireValidRules(member.facts, patch.mergeRules)
              const changedFields = {
                ...rest,
                ...(ownDomains !== undefined && { ownDomains }),
                ...(defaultContent !== undefined && { defaultContent: defaultContent ?? undefined }),
                ...(logo !== undefined && { logo: logo ?? undefined }),
                ...(patch.requireSecondFactor === false && { requireSecondFactor: undefined })
              }
              if (!hasChanges(organization, changedFields))
                return presenter.present(organization, memberRightsOf(member))
              const updatedRow = applyPatch(OrganizationTable, organization, changedFields)
              yield* events.emit(
                { type: "organization_updated", organization: id },
                { label: organization.title, changes: changesOf(organization, updatedRow, settings) }
              )
              for (const domain of organization.ownDomains ?? []) {
                if (ownsDomain(updatedRow, domain)) continue
                yield* events.emit({ type: "email_domain_lost", organization: id, domain })
              }
              yield* organizations
                .update({ id }, changedFields)
                .pipe(
                  Effect.catchTag("UniqueConflict", () =>
                    Effect.fail(new HostnameInUse({ message: `The hostname ${patch.hostname} is taken` }))
                  )
                )
              return presenter.present(updatedRow, memberRightsOf(member))
            })
          )
        }),

        subdomain: Effect.fn("Organizations.subdomain")(function* (subdomain) {
          const absent = () =>
            new SubdomainNotFound({ message: `No organization has the subdomain ${subdomain.slice(0, 50)}` })
          const [row] = yield* organizations.list({ where: { hostname: subdomain.toLowerCase() } })
          if (row === undefined) return yield* absent()
          const { organization } = yield* require(row.id, "see this organization").pipe(
            Effect.catchTag("OrganizationNotFound", absent)
          )
          return {
            object: "subdomain",
            subdomain: organization.hostname,
            target: { type: "organization", organization: organization.id },
            isActive: true,
            urls: { location: `${publicUrl}/v1/subdomains/${organization.hostname}` }
          }
        })
      })
    })
  )
}

/** Fields of an organization that the audit log records. */
const settings = [
  "title",
  "hostname",
  "emailDomains",
  "defaultRole",
  "defaultContent",
  "sso",
  "ai",
  "inviteLinks",
  "requireSecondFactor",
  "mergeRules"
] as const

/** Role of the creator of an organization, who may do everything in it. */
const creatorRights = { role: "admin", admin: true, ownsTeam: true } as const
