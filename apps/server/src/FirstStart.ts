/**
 * Sets up empty data at the first start of a server: creates an organization, its administrator with a token, and spaces
 * with Lectern's documentation, and publishes the spaces as sections of a site (see `ManualSections`).
 *
 * The first start is marked as finished last, after the token was printed. If the process is killed before, the next
 * start continues and creates another token.
 */
import { fileURLToPath } from "node:url"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Contents } from "@lectern/core/content/Contents"
import { Customizations } from "@lectern/core/customization/Customizations"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Tokens } from "@lectern/core/token/Tokens"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { type Organization, OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SiteId } from "@lectern/core/site/Site"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { type Space, SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { type User, UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect, Redacted, Schema } from "effect"
import { readFolder } from "@lectern/services-node/folder/FolderReader"
import * as ManualLook from "./ManualLook.ts"
import * as ManualSections from "./ManualSections.ts"
import * as ShippedFiles from "./ShippedFiles.ts"

const FirstStartRow = Schema.Struct({
  id: Schema.Literal("first-start"),
  organization: OrganizationId,
  user: UserId,
  /** Spaces of the documentation, in the order of `manualSections`. */
  spaces: Schema.Array(SpaceId),
  /** Site of the documentation. Absent if no documentation was imported. */
  site: Schema.optionalKey(SiteId),
  /** True once the token was printed. */
  finished: Schema.Boolean
})

const FirstStartTable = Table.make("firstStart", FirstStartRow, { key: ["id"] })

export interface FirstStartResult {
  readonly organization: Organization
  readonly user: User
  /** Space of the first section of the documentation. */
  readonly space: Space
  /** URL of the site of the documentation. Undefined if the server has no documentation. */
  readonly manual: string | undefined
  readonly token: Redacted.Redacted
  /** True if the operator chose the token. */
  readonly isChosen: boolean
  /** Number of imported pages and files of the documentation. Undefined if the server has no documentation. */
  readonly importedCount: number | undefined
  /** Marks the first start as finished. Run after the token was printed. */
  readonly finish: Effect.Effect<void, unknown>
}

/** Sets up empty data. Returns undefined if the data is not empty. */
export const firstStart = Effect.fnUntraced(
  function* (options: { readonly bootstrapToken?: Redacted.Redacted; readonly documentation?: URL | undefined }) {
    const storage = yield* Storage
    const starts = storage.repository(FirstStartTable)
    const row = yield* storage.transaction(
      Effect.gen(function* () {
        const existingRow = yield* starts.get({ id: "first-start" })
        if (existingRow !== undefined) return existingRow.finished ? undefined : existingRow
        // If an organization exists, its operator created it with a command and has a token, so nothing is created.
        if ((yield* storage.repository(OrganizationTable).count({})) > 0) return undefined
        const user = yield* (yield* Users).create({ email: "admin@localhost", displayName: "Administrator" })
        const organization = yield* (yield* Organizations).create({ title: "My organization" }, user.id)
        const spaces = yield* Spaces
        const created = yield* Effect.forEach(ManualSections.manualSections, ({ title }, i) =>
          spaces.create(organization.id, {
            title: i === 0 ? "Lectern documentation" : `Lectern documentation: ${title}`,
            emoji: "📖"
          })
        )
        const newRow = {
          id: "first-start",
          organization: organization.id,
          user: user.id,
          spaces: created.map(({ id }) => id),
          finished: false
        } as const
        yield* starts.insert(newRow)
        return newRow
      })
    )
    if (row === undefined) return undefined
    const imported = yield* importDocumentation(row.spaces, options.documentation)
    const manual = imported === undefined ? undefined : yield* publishManual(row, imported.urls)
    const user = (yield* (yield* Users).present([row.user])).get(row.user)!
    return {
      organization: yield* (yield* Organizations).get(row.organization),
      user,
      space: yield* (yield* Spaces).get(row.spaces[0]!),
      manual,
      token: yield* tokenFor(row.user, options.bootstrapToken),
      isChosen: options.bootstrapToken !== undefined,
      importedCount: imported?.count,
      finish: starts.update({ id: "first-start" }, { finished: true })
    } satisfies FirstStartResult
  },
  Effect.provideService(CurrentActor, host)
)

/**
 * Publishes the documentation, unless an interrupted first start did. Returns its URL. `urls`: pages by the paths of
 * their files.
 */
const publishManual = Effect.fnUntraced(function* (
  { organization, spaces, site: existingSite }: typeof FirstStartRow.Type,
  urls: ManualSections.PageUrls
) {
  const storage = yield* Storage
  const sites = yield* Sites
  const sections = yield* SiteSections
  const customizations = yield* Customizations
  const publicUrl = yield* PublicUrl
  const site =
    existingSite ??
    (yield* storage.transaction(
      Effect.gen(function* () {
        const { id } = yield* sites.create(organization, { title: "Lectern manual" })
        for (const [i, { groups: _, ...section }] of ManualSections.manualSections.entries())
          yield* sections.create(organization, id, { ...section, spaceId: spaces[i]! })
        const { published } = (yield* sites.publish(organization, id)).urls
        yield* customizations.put(organization, id, ManualLook.customization(urls, { publicUrl, manualUrl: published }))
        yield* storage.repository(FirstStartTable).update({ id: "first-start" }, { site: id })
        return id
      })
    ))
  return (yield* sites.get(organization, site)).urls.published
})

/** URL of the site of the documentation while the site is public, else undefined. */
export const publicManualUrl = Effect.gen(function* () {
  const row = yield* (yield* Storage).repository(FirstStartTable).get({ id: "first-start" })
  if (row?.site === undefined) return undefined
  const siteOption = yield* Effect.option((yield* Sites).get(row.organization, row.site))
  return siteOption._tag === "Some" && siteOption.value.visibility === "public"
    ? siteOption.value.urls.published
    : undefined
}).pipe(Effect.provideService(CurrentActor, host))

const tokenFor = Effect.fnUntraced(function* (user: UserId, chosen: Redacted.Redacted | undefined) {
  const tokens = yield* Tokens
  if (chosen === undefined) return (yield* tokens.create(user)).token
  const userOption = yield* Effect.option(tokens.authenticate(Redacted.value(chosen)))
  if (userOption._tag === "None") yield* tokens.create(user, { token: chosen })
  return chosen
})

/**
 * Imports the documentation. Links between sections need the ids of pages, so empty pages are imported first. Returns
 * the number of files, and the URLs of pages by the paths of their files.
 */
const importDocumentation = Effect.fnUntraced(
  function* (spaces: ReadonlyArray<SpaceId>, folder: URL | undefined) {
    const { files, problems } = yield* folder === undefined ? ShippedFiles.manual : readFolder(fileURLToPath(folder))
    if (!files.some(({ path }) => path.endsWith(".md"))) return undefined
    const imports = yield* FolderImports
    const contents = yield* Contents
    const folders = yield* ManualSections.foldersOf(files)
    const urls = new Map<string, string>()
    for (const [i, files] of folders.entries()) {
      yield* imports.importFolder(spaces[i]!, { files: ManualSections.emptyPages(files) })
      const pages = yield* contents.pages(yield* contents.locate({ space: spaces[i]! }))
      for (const [path, url] of ManualSections.pageUrlsOf(spaces[i]!, pages)) urls.set(path, url)
    }
    let count = 0
    for (const [i, files] of folders.entries()) {
      const own = new Set(files.map(({ path }) => path))
      const others = new Map([...urls].filter(([path]) => !own.has(path)))
      const linked = ManualSections.withLinks(files, others)
      const { report } = yield* imports.importFolder(spaces[i]!, { files: linked, ...(i === 0 && { problems }) })
      for (const problem of report.problems)
        yield* Effect.logWarning("Lectern's documentation").pipe(Effect.annotateLogs({ ...problem }))
      count += report.added.length + report.changed.length + report.unchanged.length
    }
    return { count, urls: urls as ManualSections.PageUrls }
  },
  // The server works without its documentation, which can be imported later.
  Effect.catch((failure) =>
    failure._tag === "StorageError"
      ? Effect.fail(failure)
      : Effect.as(Effect.logWarning("Lectern's documentation was not imported", failure.message), undefined)
  )
)
