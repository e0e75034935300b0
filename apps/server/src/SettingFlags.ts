/** Settings as flags, each with a variable of the environment that is named alike: `--data` and `LECTERN_DATA`. */
import { Config } from "effect"
import { Flag } from "effect/cli"

const known = new Set<string>()
const secrets = new Set<string>()

/** The variables that set something, of the flags that were made so far. */
export const variables: ReadonlySet<string> = known

/** Ends the name of the variable that names the file of a secret. */
const inFile = "_FILE"

/** Variables of secrets, each with the one that may name a file instead. */
export const secretVariables = (): ReadonlyArray<readonly [name: string, file: string]> =>
  Array.from(secrets, (name) => [name, name + inFile])

const secretVariableOf = (name: string) => {
  const variable = variableOf(name)
  secrets.add(variable)
  known.add(variable + inFile)
  return variable
}

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

/** One that is never shown again, nor logged. Its variable may be that of a file, with `_FILE` behind its name. */
export const secret = (name: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withDescription(`${description} (${secretVariableOf(name)})`),
    Flag.withFallbackConfig(Config.Redacted(secretVariableOf(name)))
  )
