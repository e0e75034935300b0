/** `lectern check`: checks the data or a backup for damage, without changes. */
import { resolve } from "node:path"
import * as FileCheck from "@lectern/adapter-sqlite/tables/FileCheck"
import { lossesOf } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { verify } from "@lectern/adapter-sqlite/durability/Restore"
import * as ContentCheck from "@lectern/core/content/store/ContentCheck"
import { Cause, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn } from "../DataFolder.ts"
import { print, sizeOf } from "@lectern/cli/Output"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const number = (count: number) => count.toLocaleString("en")

const checkBackup = Effect.fnUntraced(function* (folder: string, json: boolean) {
  const manifest = yield* verify(folder)
  const { begunAt, database, blobs, lost } = manifest
  if (lost !== undefined) {
    return yield* new CommandFailed({
      message: [
        ...lossesOf(manifest),
        "",
        `The backup of ${begunAt} was made of damaged data. Everything else in it is intact`
      ].join("\n"),
      report: { folder, begunAt, ok: false, lost }
    })
  }
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0)
  yield* print(json, {
    json: { folder, begunAt, ok: true },
    text: `The backup of ${begunAt} is intact: ${sizeOf(database.bytes)} of database, ${sizeOf(bytes)} of large files.`
  })
})

const reasonOf = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure))

const ofFile = ({ faults, searchFaults }: FileCheck.FileReport) => [...faults, ...searchFaults]

const faultsOf = (file: FileCheck.FileReport, content: ContentCheck.ContentReport): ReadonlyArray<string> => {
  const { lost, lostCount, dangling, danglingCount, misindexed } = content
  return [
    ...ofFile(file),
    ...lost.map(({ kind, hash, damaged }) => `The ${kind} ${hash} is ${damaged ? "damaged" : "missing"}`),
    ...(lostCount > lost.length ? [`and ${number(lostCount - lost.length)} more are missing or damaged`] : []),
    ...dangling.map(({ from, key, to, id }) => `The ${to} ${id} of the ${from} ${key} is missing`),
    ...(danglingCount > dangling.length
      ? [`and ${number(danglingCount - dangling.length)} more rows refer to missing rows`]
      : []),
    ...misindexed.map(
      ({ space, lacking, surplus }) =>
        `The search index of the space ${space} lacks ${number(lacking)} pages and has ${number(surplus)} surplus pages`
    )
  ]
}

const damaged = (faults: ReadonlyArray<string>, report: Readonly<Record<string, unknown>>, advice = restore) =>
  new CommandFailed({
    message: [...faults, "", advice].join("\n"),
    report: { ...report, ok: false }
  })

const restore = "The data is damaged: restore it from a backup"

const rebuild =
  "Only the search index is damaged: rebuild it with `lectern search rebuild`. If that fails, restore a backup"

const checkContent = (file: FileCheck.FileReport) =>
  Effect.gen(function* () {
    // The content is not checked if rows are unreadable, since the check could fail or never end.
    if (!file.isReadable) {
      return yield* damaged([...ofFile(file), "", "The content was not checked"], { ...file })
    }
    const content = yield* ContentCheck.check
    const { orphans, unindexed, objects, blobs } = content
    const report = { ...file, ...content }
    const faults = faultsOf(file, content)
    const isIndexAlone = faults.length === file.searchFaults.length + content.misindexed.length
    if (faults.length > 0) return yield* damaged(faults, report, isIndexAlone ? rebuild : restore)
    const garbageCount = orphans.objects + orphans.blobs + file.strayFiles.length
    return {
      json: { ...report, ok: true },
      text: [
        `No damage found: ${number(objects)} objects and ${number(blobs)} files match their checksums.`,
        ...(garbageCount > 0
          ? [`${number(garbageCount)} of them are unused and are deleted a day after they were written.`]
          : []),
        ...(unindexed.length > 0
          ? [`The search index of ${number(unindexed.length)} spaces is out of date. A running server updates it.`]
          : [])
      ].join("\n")
    }
  }).pipe(
    Effect.catchCause((cause) => {
      const failure = Cause.squash(cause)
      if (failure instanceof CommandFailed || Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      return damaged([...ofFile(file), `The content can't be checked: ${reasonOf(failure)}`], { ...file })
    })
  )

const checkData = (filename: string) => Effect.flatMap(FileCheck.check(filename), checkContent)

export const Check = Command.make(
  "check",
  {
    ...dataFlags,
    backup: Flag.String("backup").pipe(
      Flag.withDescription("Folder of a backup to check instead of the data"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (flags) {
    const { data, json } = yield* dataSettings(flags)
    if (Option.isSome(flags.backup)) return yield* checkBackup(resolve(flags.backup.value), json)
    const filename = databaseIn(data)
    yield* operate(flags, checkData(filename)).pipe(
      // If the data cannot be opened, the file is checked, since unreadable rows may be the reason.
      Effect.catchDefect((defect) =>
        Effect.flatMap(FileCheck.check(filename), (file) =>
          damaged([...ofFile(file), `The data can't be opened: ${reasonOf(defect)}`], { ...file })
        )
      )
    )
  })
).pipe(Command.withDescription("Check the data or a backup for damage, without changes"))
