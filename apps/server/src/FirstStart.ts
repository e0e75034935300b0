/**
 * Sets up empty data at the first start of a server: creates an organization, its administrator with a token and a link
 * that signs in once, and spaces with Lectern's documentation, and publishes them as the site that the `site.yaml` of
 * the documentation describes.
 *
 * The first start is marked as finished last, after the token was printed. If the process is killed before, the next
 * start continues and creates another token.
 */
import { fileURLToPath } from "node:url"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Customizations } from "@lectern/core/customization/Customizations"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Tokens } from "@lectern/core/token/Tokens"
import { file as folderFile, type Folder } from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import * as FolderParts from "@lectern/exchange/site-folder/FolderParts"
import * as PartImports from "@lectern/exchange/site-folder/PartImports"
import * as ResolvedSite from "@lectern/exchange/site-folder/ResolvedSite"
import * as SiteCreation from "@lectern/exchange/site-folder/SiteCreation"
import * as SiteFile from "@lectern/exchange/site-folder/SiteFile"
import { type Organization, OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SiteId } from "@lectern/core/site/Site"
import { Sites } from "@lectern/core/site/Sites"
import { type Space, SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { type User, UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { SignInLinks } from "@lectern/sign-in/link/SignInLinks"
import { Effect, Redacted, Result, Schema } from "effect"
import { readFolder } from "@lectern/services-node/folder/FolderReader"
import * as ManualLinks from "./ManualLinks.ts"
import * as ShippedFiles from "./ShippedFiles.ts"

const FirstStartRow = Schema.Struct({
  id: Schema.Literal("first-start"),
  organization: OrganizationId,
  user: UserId,
  /** Spaces of the documentation, in the order of its parts. */
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
  /** URL that signs the administrator in once. */
  readonly signInLink: Redacted.Redacted
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
    const manual = yield* readManual(options.documentation)
    const row = yield* storage.transaction(
      Effect.gen(function* () {
        const existingRow = yield* starts.get({ id: "first-start" })
        if (existingRow !== undefined) return existingRow.finished ? undefined : existingRow
        // If an organization exists, its operator created it with a command and has a token, so nothing is created.
        if ((yield* storage.repository(OrganizationTable).count({})) > 0) return undefined
        const user = yield* (yield* Users).create({ email: "admin@localhost", displayName: "Administrator" })
        const organization = yield* (yield* Organizations).create({ title: "My organization" }, user.id)
        const spaces = yield* Spaces
        const created = yield* Effect.forEach(manual.parts, ({ title }, i) =>
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
    const imported = yield* importManual(row.spaces, manual)
    const url = imported === undefined ? undefined : yield* publishManual(row, manual, imported.parts)
    const user = (yield* (yield* Users).present([row.user])).get(row.user)!
    return {
      organization: yield* (yield* Organizations).get(row.organization),
      user,
      space: yield* (yield* Spaces).get(row.spaces[0]!),
      manual: url,
      token: yield* tokenFor(row.user, options.bootstrapToken),
      signInLink: (yield* (yield* SignInLinks).create(row.user, "sign-in")).url,
      isChosen: options.bootstrapToken !== undefined,
      importedCount: imported?.count,
      finish: starts.update({ id: "first-start" }, { finished: true })
    } satisfies FirstStartResult
  },
  Effect.provideService(CurrentActor, host)
)

interface Manual {
  readonly folder: Folder
  readonly file: SiteFile.SiteFile
  readonly parts: ReadonlyArray<FolderParts.PartDefinition>
}

const manualTitle = "Lectern manual"

/** Reads the list of the documentation's files and its `site.yaml`. Without documentation, it has one part. */
const readManual = Effect.fnUntraced(
  function* (documentation: URL | undefined) {
    const { files, problems } = yield* documentation === undefined
      ? ShippedFiles.manual
      : readFolder(fileURLToPath(documentation))
    const siteFile = files.find(({ path }) => path === SiteFile.path)
    if (siteFile === undefined) return manualOf({ files, problems }, {})
    const parsed = SiteFile.parse(new TextDecoder().decode(yield* siteFile.bytes()))
    if (Result.isSuccess(parsed)) return manualOf({ files, problems }, parsed.success.file)
    yield* Effect.logWarning("The site.yaml of Lectern's documentation is invalid", parsed.failure)
    return manualOf({ files, problems }, {})
  },
  // The server works without its documentation, which can be imported later.
  Effect.catch((failure) =>
    Effect.as(Effect.logWarning("Lectern's documentation can't be read", failure.message), manualOf({ files: [] }, {}))
  )
)

const manualOf = (folder: Folder, file: SiteFile.SiteFile): Manual => ({
  folder,
  file,
  parts: FolderParts.definitionsOf(file, manualTitle)
})

/** Publishes the documentation, unless an interrupted first start did. Returns its URL. */
const publishManual = Effect.fnUntraced(function* (
  { organization, site: existingSite }: typeof FirstStartRow.Type,
  { file, folder }: Manual,
  parts: ReadonlyArray<PartImports.ImportedPart>
) {
  const storage = yield* Storage
  const sites = yield* Sites
  const customizations = yield* Customizations
  const publicUrl = yield* PublicUrl
  const { site: resolved } = ResolvedSite.resolve(file, {
    title: file.title ?? manualTitle,
    parts,
    files: folder.files
  })
  const site =
    existingSite ??
    (yield* storage.transaction(
      Effect.gen(function* () {
        const { site } = yield* SiteCreation.create(organization, resolved)
        const { published } = (yield* sites.get(organization, site)).urls
        yield* customizations.put(
          organization,
          site,
          ManualLinks.withApi(resolved.customization, { publicUrl, manualUrl: published })
        )
        yield* storage.repository(FirstStartTable).update({ id: "first-start" }, { site })
        return site
      })
    ))
  return (yield* sites.get(organization, site)).urls.published
})

const tokenFor = Effect.fnUntraced(function* (user: UserId, chosen: Redacted.Redacted | undefined) {
  const tokens = yield* Tokens
  if (chosen === undefined) return (yield* tokens.create(user)).token
  const userOption = yield* Effect.option(tokens.authenticate(Redacted.value(chosen)))
  if (userOption._tag === "None") yield* tokens.create(user, { token: chosen })
  return chosen
})

/**
 * Imports the documentation. Links between parts need the ids of pages, so empty pages are imported first. Returns the
 * number of files, and the parts.
 */
const importManual = Effect.fnUntraced(
  function* (spaces: ReadonlyArray<SpaceId>, { folder, parts: definitions }: Manual) {
    if (!folder.files.some(({ path }) => path.endsWith(".md"))) return undefined
    const imports = yield* FolderImports
    const parts = definitions.map((definition, i) => new PartImports.ImportedPart(definition, spaces[i]!))
    yield* PartImports.importAll(imports, parts, emptyPages(folder), 1)
    yield* PartImports.importAll(imports, parts, folder)
    const reports = parts.map(({ last }) => last!.report)
    const problems = new Map(reports.flatMap(({ problems }) => problems.map((one) => [JSON.stringify(one), one])))
    for (const problem of problems.values())
      yield* Effect.logWarning("Lectern's documentation").pipe(Effect.annotateLogs({ ...problem }))
    const count = reports.reduce(
      (total, { added, changed, unchanged }) => total + added.length + changed.length + unchanged.length,
      0
    )
    return { count, parts }
  },
  // The server works without its documentation, which can be imported later.
  Effect.catch((failure) =>
    failure._tag === "StorageError"
      ? Effect.fail(failure)
      : Effect.as(Effect.logWarning("Lectern's documentation was not imported", failure.message), undefined)
  )
)

/** Returns the files that determine the tree of pages. The pages are empty. */
const emptyPages = ({ files }: Folder): Folder => ({
  files: files.flatMap((file) => {
    const isPage = FolderPath.isMarkdown(file.path) && FolderPath.baseName(file.path) !== "SUMMARY.md"
    if (isPage) return [folderFile(file.path, "")]
    return FolderPath.isPicture(file.path) ? [] : [file]
  })
})
