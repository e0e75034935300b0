/**
 * Settings of `lectern lint` and of the problems of `lectern dev`: the section `lint` of `lectern.toml`. The file is in
 * the checked folder or above, up to the folder of the repository. The nearest file with the section counts.
 *
 * Limit: 1,024 KiB.
 */
import { existsSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { suggestionOf } from "@lectern/core/schema/NearestName"
import * as TomlFile from "../settings/TomlFile.ts"
import { type Level, levels } from "./LintRule.ts"
import { lintRules, type RuleName, ruleNames } from "./LintRules.ts"

export interface LintSettings {
  readonly levelOf: (rule: RuleName) => Level
  /** Returns true if problems of a file are not reported. `path`: relative to the checked folder. */
  readonly isIgnored: (path: string) => boolean
}

const fileName = "lectern.toml"

/** Reads the settings for a folder. Fails with a sentence that names the file and the value. */
export const read = Effect.fnUntraced(function* (folder: string) {
  for (let current = folder; ; current = dirname(current)) {
    const path = join(current, fileName)
    if (existsSync(path)) {
      const { values } = yield* TomlFile.read(path)
      const section = values[TomlFile.lintSection]
      if (section !== undefined) return yield* parse(section, path, folder)
    }
    if (existsSync(join(current, ".git")) || dirname(current) === current) break
  }
  return defaults
})

const defaults: LintSettings = { levelOf: (rule) => lintRules[rule].level, isIgnored: () => false }

const refusal = (message: string) => new CommandFailed({ message })

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)

const names = ["ignore", "rules"]

const parse = Effect.fnUntraced(function* (section: unknown, path: string, folder: string) {
  if (!isTable(section))
    return yield* refusal(`${TomlFile.lintSection} in ${path} has to be a section: [${TomlFile.lintSection}]`)
  for (const name of Object.keys(section)) {
    if (!names.includes(name))
      return yield* refusal(`${TomlFile.lintSection}.${name} in ${path} is not a setting${suggestionOf(name, names)}`)
  }
  const { ignore = [], rules = {} } = section
  if (!Array.isArray(ignore) || !ignore.every((pattern): pattern is string => typeof pattern === "string"))
    return yield* refusal(
      `${TomlFile.lintSection}.ignore in ${path} has to be a list of texts: patterns as in .gitignore`
    )
  if (!isTable(rules))
    return yield* refusal(`${TomlFile.lintSection}.rules in ${path} has to be a section: [lint.rules]`)
  const chosenLevels = new Map<string, Level>()
  for (const [name, level] of Object.entries(rules)) {
    if (!ruleNames.some((rule) => rule === name))
      return yield* refusal(
        `${TomlFile.lintSection}.rules.${name} in ${path} is not a rule${suggestionOf(name, ruleNames)}`
      )
    const known = levels.find((one) => one === level)
    if (known === undefined) {
      const allowed = levels.map((one) => `"${one}"`).join(", ")
      return yield* refusal(`${TomlFile.lintSection}.rules.${name} in ${path} has to be one of ${allowed}`)
    }
    chosenLevels.set(name, known)
  }
  // Loaded lazily, so that a folder without settings is checked faster.
  const { default: makeIgnore } = yield* Effect.promise(() => import("ignore"))
  const patterns = makeIgnore().add(ignore)
  const prefix = relative(dirname(path), folder).replaceAll("\\", "/")
  return {
    levelOf: (rule) => chosenLevels.get(rule) ?? lintRules[rule].level,
    isIgnored: (file) => {
      const full = prefix === "" ? file : `${prefix}/${file}`
      return makeIgnore.isPathValid(full) && patterns.ignores(full)
    }
  } satisfies LintSettings
})
