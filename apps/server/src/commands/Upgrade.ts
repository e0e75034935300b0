/** `lectern upgrade` */
import { resolve } from "node:path"
import { look } from "@lectern/adapter-sqlite/Upgrades"
import * as Table from "@lectern/core/storage/Table"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { databaseIn } from "../DataFolder.ts"
import { columns, print } from "../Output.ts"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { version as software } from "../Version.ts"
import { operate } from "./Operator.ts"

export const Upgrade = Command.make(
  "upgrade",
  {
    ...dataFlags,
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Say what would change, and change nothing"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (given) {
    const { data, json, upgradeBackup } = yield* dataSettings(given)
    // With all that describes a table.
    yield* Effect.promise(() => import("@lectern/core/Lectern"))
    const before = yield* look(databaseIn(data), Table.allTables())
    if (before === undefined)
      return yield* new CommandFailed({ message: `There is no data in ${data} to bring up to date` })
    const { version, newest, steps, relaid } = before
    const report = { software, version, newest, steps, relaid }
    const ofTables =
      relaid.length === 0
        ? []
        : [
            "",
            "Tables that it writes anew, each when it is first used:",
            "",
            columns(relaid.map(({ name, rows }) => [name, `${rows.toLocaleString("en")} rows`] as const))
          ]
    if (steps.length === 0) {
      const rest = relaid.length === 0 ? ": nothing is to be done." : "."
      return yield* print(json, {
        json: { ...report, upgraded: false },
        text: [
          `The data in ${resolve(data)} has version ${version}, as Lectern ${software} writes it${rest}`,
          ...ofTables
        ].join("\n")
      })
    }
    if (given.check) {
      return yield* print(json, {
        json: { ...report, upgraded: false },
        text: [
          `The data in ${resolve(data)} has version ${version}. Lectern ${software} brings it to ${newest}:`,
          "",
          ...steps.map((step, i) => `  ${version + i + 1}. ${step}`),
          ...ofTables,
          "",
          upgradeBackup
            ? "A backup is made before, in the folder before-upgrade of the data folder."
            : "No backup is made before: LECTERN_UPGRADE_BACKUP is off.",
          `An older Lectern does not open it any more then. Stop the server that runs on it first.`
        ].join("\n")
      })
    }
    yield* operate(
      given,
      Effect.succeed({
        json: { ...report, upgraded: true },
        text:
          `The data in ${resolve(data)} was brought from version ${version} to ${newest}.` +
          (upgradeBackup ? " As it was before, it is in the folder before-upgrade there." : "")
      })
    )
  })
).pipe(Command.withDescription("Bring the data up to date without starting the server, or say what that would change"))
