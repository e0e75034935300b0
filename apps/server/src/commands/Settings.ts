/** `lectern settings`: prints the effective settings and their sources. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Certificate from "../edge/Certificate.ts"
import { columns, print } from "@lectern/cli/Output"
import { serverFlags, serverSettings } from "../settings/Settings.ts"
import { variableOf } from "../settings/Setting.ts"
import { Environment, withoutCredentials } from "../settings/SettingSources.ts"
import { serverTable } from "../settings/SettingTable.ts"
import * as StartWarnings from "../StartWarnings.ts"

/** Placeholder of a secret that is set. */
const secretPlaceholder = "***"

/** Placeholder of an unset setting. */
const unsetPlaceholder = "-"

export const Settings = Command.make(
  "settings",
  serverFlags,
  Effect.fnUntraced(function* (flags) {
    const { sources, file, settings: checked } = yield* serverSettings(flags)
    if (checked.certificate !== undefined) yield* Certificate.read(checked.certificate)
    const warnings = [
      ...StartWarnings.unknownVariables(yield* Environment, serverTable),
      ...StartWarnings.openSecrets(file, serverTable)
    ]
    const settings = Object.entries(serverTable).map(([key, { name, isSecret, reloads }]) => {
      const source = sources.get(key)
      return {
        name,
        variable: variableOf(name),
        ...(source !== undefined && {
          value: isSecret === true ? secretPlaceholder : withoutCredentials(source.text),
          source: source.source,
          where: source.label
        }),
        reloads: reloads === true
      }
    })
    const lines = settings.map(({ name, value, where }) => {
      return [
        name,
        where === undefined ? unsetPlaceholder : `${value === "" ? unsetPlaceholder : value}  (${where})`
      ] as const
    })
    yield* print(flags.json, {
      json: { ...(file !== undefined && { file: file.path }), settings, warnings },
      text: [columns(lines), ...warnings.map((warning) => `\n${warning}`)].join("\n")
    })
  })
).pipe(Command.withDescription("Print the settings with which a server would start, and their sources"))
