/** `lectern import <folder> …`: imports each folder into a space, one after another. */
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { inOneLine } from "@lectern/core/schema/Text"
import { maxTitle, SpaceId, SpaceTitle } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { basename, resolve } from "node:path"
import * as Catalogue from "../Catalogue.ts"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { type ReadFolder, readFolder } from "@lectern/services-node/folder/FolderReader"
import { ImportedFolderTable } from "../ImportedFolder.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const isTitle = Schema.is(SpaceTitle)

export const Import = Command.make(
  "import",
  {
    ...dataFlags,
    folders: Argument.String("folder").pipe(
      Argument.withDescription("Folder with SUMMARY.md, or a plain tree of Markdown files"),
      Argument.variadic({ min: 1 })
    ),
    space: Flag.String("space").pipe(Flag.withDescription("Id of the space to import into"), Flag.optional),
    organization: Flag.String("organization").pipe(
      Flag.withDescription("Id of the organization for a new space, if there are several"),
      Flag.optional
    ),
    title: Flag.String("title").pipe(Flag.withDescription("Title of the new space"), Flag.optional),
    registerSpecs: Flag.Boolean("register-specs").pipe(
      Flag.withDescription("Register OpenAPI specs that pages reference by URL and the organization lacks"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ folders, ...flags }) {
    if (folders.length > 1 && (Option.isSome(flags.space) || Option.isSome(flags.title))) {
      return yield* new CommandFailed({
        message: "--space and --title apply to one folder: import one folder at a time"
      })
    }
    const sources = yield* Effect.forEach(folders, (folder) => sourceOf(resolve(folder)))
    return yield* operate(flags, ...sources.map((source) => importSource(source, flags)))
  })
).pipe(
  Command.withDescription(
    "Import folders, each into a new space or into --space. Importing a folder again updates its space"
  )
)

interface Source {
  readonly folder: string
  readonly read: ReadFolder
}

interface ImportFlags {
  readonly json: boolean
  readonly space: Option.Option<string>
  readonly organization: Option.Option<string>
  readonly title: Option.Option<string>
  readonly registerSpecs: boolean
}

/** Reads a folder. Fails if it contains no Markdown files. */
const sourceOf = Effect.fnUntraced(function* (folder: string) {
  const read = yield* readFolder(folder)
  if (!read.files.some(({ path }) => FolderPath.isMarkdown(path)))
    return yield* new CommandFailed({ message: `No Markdown files found in ${folder}` })
  return { folder, read } satisfies Source
})

const importSource = Effect.fnUntraced(function* ({ folder, read }: Source, flags: ImportFlags) {
  const spaces = yield* Spaces
  const target = yield* targetOf(flags, folder)
  const bar = flags.json ? undefined : ProgressBar.make(`Importing ${basename(folder)}`)
  const imported = yield* (yield* FolderImports)
    .importFolder(target.space, read, {
      registerSpecs: flags.registerSpecs,
      ...(bar !== undefined && { onProgress: bar.show })
    })
    .pipe(
      Effect.ensuring(bar?.end ?? Effect.void),
      Effect.onError(() => (target.isNew ? Effect.ignore(spaces.remove(target.space)) : Effect.void))
    )
  yield* saveTarget(folder, target)
  const space = yield* spaces.get(target.space)
  const { added, changed, problems, removed, sentences, specs, unchanged } = imported.report
  const isFetchable = specs.some(({ registered, url }) => url !== undefined && registered !== true)
  return {
    json: { space, revision: imported.revision.id, ...imported.report },
    text: [
      ...problems.map(({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`),
      ...(problems.length > 0 ? [""] : []),
      `${target.isNew ? "Created" : "Updated"} the space "${space.title}" (${space.id}): ` +
        `${added.length} added, ${changed.length} changed, ${removed.length} removed, ` +
        `${unchanged.length} unchanged, ${problems.length} problems`,
      ...sentences,
      ...(isFetchable ? ["To fetch these specs, import again with --register-specs."] : []),
      `To read the space over the API: GET /v1/spaces/${space.id}/content. To export it: lectern export ${space.id} FOLDER`
    ].join("\n")
  }
})

interface Target {
  readonly space: SpaceId
  readonly organization: OrganizationId
  readonly isNew: boolean
}

const targetOf = Effect.fnUntraced(function* (flags: ImportFlags, folder: string) {
  const spaces = yield* Spaces
  if (Option.isSome(flags.space)) {
    if (Option.isSome(flags.organization) || Option.isSome(flags.title)) {
      return yield* new CommandFailed({
        message: "--space names an existing space: --organization and --title are only for a new one"
      })
    }
    const { id, organization, deletedAt } = yield* spaces.get(SpaceId.make(flags.space.value))
    if (deletedAt !== undefined) return yield* new CommandFailed({ message: `The space ${id} is in the trash` })
    return { space: id, organization, isNew: false } satisfies Target
  }
  const organization = yield* organizationOf(flags.organization)
  const title = Option.getOrUndefined(flags.title)
  if (title !== undefined && !isTitle(title)) {
    return yield* new CommandFailed({
      message: "The title of a space must be one line of at most 50 characters, without surrounding whitespace"
    })
  }
  const folders = (yield* Storage).repository(ImportedFolderTable)
  const importedFolder = yield* folders.get({ organization, folder })
  if (importedFolder !== undefined) {
    const space = yield* Effect.option(spaces.get(SpaceId.make(importedFolder.space)))
    const exists = Option.isSome(space) && space.value.deletedAt === undefined
    if (exists && (title === undefined || title === space.value.title)) {
      return { space: space.value.id, organization, isNew: false } satisfies Target
    }
  }
  const spaceTitle = title ?? inOneLine(basename(folder), maxTitle)
  const space = yield* spaces.create(organization, { title: spaceTitle })
  return { space: space.id, organization, isNew: true } satisfies Target
})

const organizationOf = Effect.fnUntraced(function* (suppliedId: Option.Option<string>) {
  const organizations = yield* Organizations
  if (Option.isSome(suppliedId)) return (yield* organizations.get(OrganizationId.make(suppliedId.value))).id
  const catalogues = yield* Catalogue.owner
  const { items } = yield* organizations.list({ limit: 3 })
  const [firstOrganization, ...otherOrganizations] = items.filter(({ id }) => id !== catalogues)
  if (firstOrganization !== undefined && otherOrganizations.length === 0) return firstOrganization.id
  return yield* new CommandFailed({
    message:
      firstOrganization === undefined
        ? "No organization exists: run lectern organization create"
        : "Several organizations exist: choose one with --organization ID, or a space with --space ID"
  })
})

const saveTarget = Effect.fnUntraced(function* (folder: string, { organization, space }: Target) {
  const storage = yield* Storage
  const folders = storage.repository(ImportedFolderTable)
  yield* storage.transaction(
    Effect.gen(function* () {
      if ((yield* folders.update({ organization, folder }, { space })) === 0) {
        yield* folders.insert({ organization, folder, space })
      }
    })
  )
})
