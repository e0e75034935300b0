/** `lectern settings`: what is in force, and where each setting was found. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Certificate from "../edge/Certificate.ts"
import { columns, print } from "../Output.ts"
import { serverFlags, serverSettings } from "../settings/Settings.ts"
import { variableOf } from "../settings/Setting.ts"
import { Environment, shown } from "../settings/SettingSources.ts"
import { serverTable } from "../settings/SettingTable.ts"
import * as StartWarnings from "../StartWarnings.ts"

/** Stands for a secret that is set. */
const hidden = "***"

/** Stands for what is not set. */
const none = "-"

export const Settings = Command.make(
  "settings",
  serverFlags,
  Effect.fnUntraced(function* (given) {
    const { found, file, settings: checked } = yield* serverSettings(given)
    if (checked.certificate !== undefined) yield* Certificate.read(checked.certificate)
    const warnings = [
      ...StartWarnings.unknownVariables(yield* Environment, serverTable),
      ...StartWarnings.openSecrets(file, serverTable)
    ]
    const settings = Object.entries(serverTable).map(([key, { name, isSecret, reloads }]) => {
      const one = found.get(key)
      return {
        name,
        variable: variableOf(name),
        ...(one !== undefined && {
          value: isSecret === true ? hidden : shown(one.text),
          source: one.source,
          where: one.where
        }),
        reloads: reloads === true
      }
    })
    const lines = settings.map(({ name, value, where }) => {
      return [name, where === undefined ? none : `${value === "" ? none : value}  (${where})`] as const
    })
    yield* print(given.json, {
      json: { ...(file !== undefined && { file: file.path }), settings, warnings },
      text: [columns(lines), ...warnings.map((warning) => `\n${warning}`)].join("\n")
    })
  })
).pipe(Command.withDescription("Show the settings that a server would start with, and where each comes from"))
