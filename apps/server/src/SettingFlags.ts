/** Settings as flags, each with a variable of the environment that is named alike: `--data` and `LECTERN_DATA`. */
import { Config } from "effect"
import { Flag } from "effect/cli"

const known = new Set<string>()

/** The variables that set something, of the flags that were made so far. */
export const variables: ReadonlySet<string> = known

const variableOf = (name: string) => {
  const variable = `LECTERN_${name.replaceAll("-", "_").toUpperCase()}`
  known.add(variable)
  return variable
}

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description} (${variableOf(name)})`),
    Flag.withFallbackConfig(Config.String(variableOf(name)))
  )

/** One that is there or not. */
export const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(`${description} (${variableOf(name)})`),
    Flag.withFallbackConfig(Config.Boolean(variableOf(name))),
    Flag.withDefault(false)
  )

/** One that is never shown again, nor logged. */
export const secret = (name: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withDescription(`${description} (${variableOf(name)})`),
    Flag.withFallbackConfig(Config.Redacted(variableOf(name)))
  )
