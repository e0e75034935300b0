/**
 * The first start on empty data makes an organization, its administrator and a space, imports
 * Lectern's own documentation into it and gives the administrator a token.
 *
 * That the first start is over is written down last, after the token was shown: one that is killed
 * halfway is taken up by the next start, which makes a token of its own.
 */
import { fileURLToPath } from "node:url"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { FolderImports } from "@lectern/core/content/import/FolderImports"
import { type Organization, OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { type Space, SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { type User, UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect, Redacted, Schema } from "effect"
import { readFolder } from "./FolderReader.ts"
import * as Shipped from "./Shipped.ts"

const FirstStartRow = Schema.Struct({
  id: Schema.Literal("first-start"),
  organization: OrganizationId,
  user: UserId,
  space: SpaceId,
  /** True once the token was shown. */
  finished: Schema.Boolean
})

const FirstStartTable = Table.make("firstStart", FirstStartRow, { key: ["id"] })

export interface Begun {
  readonly organization: Organization
  readonly user: User
  readonly space: Space
  readonly token: Redacted.Redacted
  /** True where the operator chose the token. */
  readonly chosen: boolean
  /** Pages and files of the documentation; undefined where the server has none. */
  readonly imported: number | undefined
  /** To be run when the token was shown. */
  readonly finish: Effect.Effect<void, unknown>
}

/** Makes the first user, organization and token; undefined where a first start was made before. */
export const firstStart = Effect.fnUntraced(
  function* (options: { readonly bootstrapToken?: Redacted.Redacted; readonly documentation?: URL | undefined }) {
    const storage = yield* Storage
    const starts = storage.repository(FirstStartTable)
    const row = yield* storage.transaction(
      Effect.gen(function* () {
        const known = yield* starts.get({ id: "first-start" })
        if (known !== undefined) return known.finished ? undefined : known
        // Who made an organization by the command line has its token already.
        if ((yield* storage.repository(OrganizationTable).count({})) > 0) return undefined
        const user = yield* (yield* Users).create({ email: "admin@localhost", displayName: "Administrator" })
        const organization = yield* (yield* Organizations).create({ title: "My organization" }, user.id)
        const space = yield* (yield* Spaces).create(organization.id, { title: "Lectern documentation", emoji: "📖" })
        const made = {
          id: "first-start",
          organization: organization.id,
          user: user.id,
          space: space.id,
          finished: false
        } as const
        yield* starts.insert(made)
        return made
      })
    )
    if (row === undefined) return undefined
    const imported = yield* importDocumentation(row.space, options.documentation)
    const user = (yield* (yield* Users).present([row.user])).get(row.user)!
    return {
      organization: yield* (yield* Organizations).get(row.organization),
      user,
      space: yield* (yield* Spaces).get(row.space),
      token: yield* tokenFor(row.user, options.bootstrapToken),
      chosen: options.bootstrapToken !== undefined,
      imported,
      finish: starts.update({ id: "first-start" }, { finished: true })
    } satisfies Begun
  },
  Effect.provideService(CurrentActor, host)
)

const tokenFor = Effect.fnUntraced(function* (user: UserId, chosen: Redacted.Redacted | undefined) {
  const tokens = yield* Tokens
  if (chosen === undefined) return (yield* tokens.create(user)).token
  const known = yield* Effect.option(tokens.authenticate(Redacted.value(chosen)))
  if (known._tag === "None") yield* tokens.create(user, { token: chosen })
  return chosen
})

const importDocumentation = Effect.fnUntraced(
  function* (space: SpaceId, folder: URL | undefined) {
    const { files, problems } = yield* folder === undefined ? Shipped.manual : readFolder(fileURLToPath(folder))
    if (!files.some(({ path }) => path.endsWith(".md"))) return undefined
    const { report } = yield* (yield* FolderImports).importFolder(space, { files, problems })
    for (const problem of report.problems)
      yield* Effect.logWarning("Lectern's documentation").pipe(Effect.annotateLogs({ ...problem }))
    return report.added.length + report.changed.length + report.unchanged.length
  },
  // The server is of use without its own documentation, and the import can be made up for.
  Effect.catch((failure) =>
    failure._tag === "StorageError"
      ? Effect.fail(failure)
      : Effect.as(Effect.logWarning("Lectern's documentation was not imported", failure.message), undefined)
  )
)
