/** Settings as flags, each with a variable of the environment that is named alike: `--data` and `LECTERN_DATA`. */
import { Config } from "effect"
import { Flag } from "effect/cli"

const variableOf = (name: string) => `LECTERN_${name.replaceAll("-", "_").toUpperCase()}`

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description} (${variableOf(name)})`),
    Flag.withFallbackConfig(Config.String(variableOf(name)))
  )

/** One that is never shown again, nor logged. */
export const secret = (name: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withDescription(`${description} (${variableOf(name)})`),
    Flag.withFallbackConfig(Config.Redacted(variableOf(name)))
  )
