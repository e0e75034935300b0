/**
 * The `list` commands of `user`, `organization`, `space` and `site`: rows with the ids that other commands take. These
 * ids let an administrator replace a lost token.
 *
 * Limit: the first 10,000 rows in order of creation.
 */
import { type OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { MemberTable } from "@lectern/core/organization/Member"
import { SiteTable } from "@lectern/core/site/Site"
import { SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { type UserId, UserTable } from "@lectern/core/user/User"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { columns } from "@lectern/cli/Output"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const limit = 10_000

const organization = Flag.String("organization").pipe(
  Flag.withDescription("Id of an organization: list only its items"),
  Flag.optional
)

/** Returns the command's output with one line for each item: its id and its description. */
const formatList = <A extends { readonly id: string }>(
  name: string,
  items: ReadonlyArray<A>,
  describe: (item: A) => ReadonlyArray<string | undefined>
) => ({
  json: { [name]: items },
  text:
    items.length === 0
      ? `No ${name}`
      : columns(
          items.map(
            (item) =>
              [
                item.id,
                describe(item)
                  .filter((text) => text !== undefined)
                  .join(", ")
              ] as const
          )
        )
})

export const listOrganizations = Command.make("list", dataFlags, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const rows = yield* (yield* Storage)
        .repository(OrganizationTable)
        .list({ where: {}, order: ["createdAt"], limit })
      const organizations = rows.map(({ id, title, hostname, createdAt }) => ({ id, title, hostname, createdAt }))
      return formatList("organizations", organizations, ({ title }) => [title])
    })
  )
).pipe(Command.withDescription("List the organizations"))

export const listUsers = Command.make("list", { ...dataFlags, organization }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const storage = yield* Storage
      const organizationId = Option.getOrUndefined(flags.organization)
      const members = yield* storage
        .repository(MemberTable)
        .list({ where: organizationId === undefined ? {} : { organization: organizationId }, limit })
      const ids = organizationId === undefined ? undefined : [...new Set(members.map(({ user }) => user as UserId))]
      const repository = storage.repository(UserTable)
      const rows =
        ids === undefined
          ? yield* repository.list({ where: {}, limit })
          : (yield* repository.getMany(ids.map((id) => ({ id })))).filter((row) => row !== undefined)
      const users = rows.map(({ id, displayName, email }) => ({
        id,
        displayName,
        email,
        organizations: members.flatMap((member) =>
          member.user === id ? { id: member.organization, role: member.role ?? "guest" } : []
        )
      }))
      return formatList("users", users, ({ displayName, email, organizations }) => [
        displayName === email ? undefined : displayName,
        email,
        ...organizations.map(({ id, role }) => `${role} in ${id}`)
      ])
    })
  )
).pipe(Command.withDescription("List the users, and the organizations that they belong to"))

const whereOf = (flags: { readonly organization: Option.Option<string> }) =>
  Option.match(flags.organization, {
    onNone: () => ({}),
    onSome: (id) => ({ organization: id as OrganizationId })
  })

const listSpaces = Command.make("list", { ...dataFlags, organization }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const rows = yield* (yield* Storage).repository(SpaceTable).list({ where: whereOf(flags), limit })
      const spaces = rows
        .filter(({ deletedAt, removing }) => deletedAt === undefined && removing !== true)
        .map(({ id, title, organization, visibility }) => ({ id, title, organization, visibility }))
      return formatList("spaces", spaces, ({ title, organization }) => [title, `in ${organization}`])
    })
  )
).pipe(Command.withDescription("List the spaces that are not in the trash"))

const listSites = Command.make("list", { ...dataFlags, organization }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const rows = yield* (yield* Storage).repository(SiteTable).list({ where: whereOf(flags), limit })
      const sites = rows.map(({ id, title, organization, basename, hostname, published }) => ({
        id,
        title,
        organization,
        basename,
        ...(hostname !== undefined && { hostname }),
        published
      }))
      return formatList("sites", sites, ({ title, organization, hostname, basename, published }) => [
        title,
        hostname ?? basename,
        published ? undefined : "not published",
        `in ${organization}`
      ])
    })
  )
).pipe(Command.withDescription("List the sites"))

export const Space = Command.make("space").pipe(
  Command.withDescription("Spaces"),
  Command.withSubcommands([listSpaces])
)

export const Site = Command.make("site").pipe(Command.withDescription("Sites"), Command.withSubcommands([listSites]))
