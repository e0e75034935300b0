/** `lectern upgrade` */
import { resolve } from "node:path"
import { inspect } from "@lectern/adapter-sqlite/tables/Upgrades"
import * as Table from "@lectern/core/storage/Table"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn } from "../DataFolder.ts"
import { columns, print } from "@lectern/cli/Output"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { version as software } from "@lectern/cli/Version"
import { operate } from "./Operator.ts"

export const Upgrade = Command.make(
  "upgrade",
  {
    ...dataFlags,
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Print the changes without making them"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (flags) {
    const { data, json, upgradeBackup } = yield* dataSettings(flags)
    // Loads all modules that define tables, so that `Table.allTables` is complete.
    yield* Effect.promise(() => import("@lectern/core/Lectern"))
    const upgrade = yield* inspect(databaseIn(data), Table.allTables())
    if (upgrade === undefined) return yield* new CommandFailed({ message: `No data found in ${data}` })
    const { version, newest, steps, rebuilds: relaid } = upgrade
    const report = { software, version, newest, steps, relaid }
    const ofTables =
      relaid.length === 0
        ? []
        : [
            "",
            "Tables that are rewritten at their first use:",
            "",
            columns(relaid.map(({ name, rows }) => [name, `${rows.toLocaleString("en")} rows`] as const))
          ]
    if (steps.length === 0) {
      const rest = relaid.length === 0 ? ", and needs no upgrade." : "."
      return yield* print(json, {
        json: { ...report, upgraded: false },
        text: [
          `The data in ${resolve(data)} has version ${version}, the version of Lectern ${software}${rest}`,
          ...ofTables
        ].join("\n")
      })
    }
    if (flags.check) {
      return yield* print(json, {
        json: { ...report, upgraded: false },
        text: [
          `The data in ${resolve(data)} has version ${version}. Lectern ${software} upgrades it to ${newest}:`,
          "",
          ...steps.map((step, i) => `  ${version + i + 1}. ${step}`),
          ...ofTables,
          "",
          upgradeBackup
            ? "A backup is made first, in the folder before-upgrade of the data folder."
            : "No backup is made first, because LECTERN_UPGRADE_BACKUP is off.",
          `Older versions of Lectern can't open the data afterwards. Stop the server first.`
        ].join("\n")
      })
    }
    yield* operate(
      flags,
      Effect.succeed({
        json: { ...report, upgraded: true },
        text:
          `The data in ${resolve(data)} was upgraded from version ${version} to ${newest}.` +
          (upgradeBackup ? ` A backup of version ${version} is in its folder before-upgrade.` : "")
      })
    )
  })
).pipe(Command.withDescription("Upgrade the data without starting the server, or print the changes of an upgrade"))
