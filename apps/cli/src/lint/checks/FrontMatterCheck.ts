/**
 * Finds fields of the front matter whose values can't be read, and conditions that can't be parsed. Fields that other
 * programs define differently, such as `layout: post`, are not checked.
 */
import * as Condition from "@lectern/document/condition/Condition"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as PageFrontMatter from "@lectern/core/content/pages/PageFrontMatter"
import { Result } from "effect"
import type { Check } from "../Check.ts"
import type { Fix } from "../Fix.ts"
import { conditionMessage } from "@lectern/document/lint/TagCheck"

const booleans: Readonly<Record<string, string>> = { true: "true", yes: "true", false: "false", no: "false" }

export const check: Check = ({ frontMatter }, report) => {
  if (frontMatter === undefined) return
  const parsed = FrontMatter.read(frontMatter)
  // The import reports YAML that can't be parsed.
  if (Result.isFailure(parsed)) return
  const fields = parsed.success
  const { metadata } = PageFrontMatter.read(frontMatter)
  const lines = frontMatter.split("\n")
  const reportField = (name: string, message: string, fixOf?: (value: string) => string | undefined) => {
    const index = lines.findIndex((line) => line.startsWith(name) && /^\s*:/.test(line.slice(name.length)))
    // The line `---` precedes the front matter.
    const line = index === -1 ? undefined : index + 2
    const fix = line === undefined || fixOf === undefined ? undefined : scalarFix(lines[index]!, line, fixOf)
    report({
      ...(line !== undefined && { line }),
      rule: "invalid-front-matter",
      message: `The field "${name}" is not read: ${message}`,
      ...(fix !== undefined && { fix })
    })
  }
  const isUnread = (name: string, field: keyof typeof metadata) =>
    fields[name] !== undefined && fields[name] !== null && metadata[field] === undefined

  for (const name of ["hidden", "noIndex", "noRobotsIndex"] as const)
    if (isUnread(name, name))
      reportField(
        name,
        "expected true or false",
        (value) => booleans[value.replace(/^(["'])(.*)\1$/, "$2").toLowerCase()]
      )
  for (const [name, field] of [
    ["title", "title"],
    ["description", "description"],
    ["if", "condition"]
  ] as const) {
    if (!isUnread(name, field)) continue
    if (typeof fields[name] === "string") {
      if (fields[name] !== "") reportField(name, "it is too long, or contains characters that are not allowed")
    } else if (typeof fields[name] === "object") reportField(name, "expected a text")
    else reportField(name, "expected a text: put it in quotes", (value) => JSON.stringify(value))
  }
  for (const [name, field] of [
    ["layout", "layout"],
    ["vars", "variables"]
  ] as const)
    if (typeof fields[name] === "object" && isUnread(name, field))
      reportField(name, "it has unknown keys or invalid values")
  if (metadata.condition !== undefined) {
    const condition = Condition.parse(metadata.condition)
    const index = lines.findIndex((line) => /^if\s*:/.test(line))
    if (Result.isFailure(condition))
      report({
        ...(index !== -1 && { line: index + 2 }),
        rule: "invalid-condition",
        message: conditionMessage(condition.failure)
      })
  }
}

/** Returns the fix of a value on one line, which may have a comment after it. */
const scalarFix = (source: string, line: number, fixOf: (value: string) => string | undefined): Fix | undefined => {
  const match = /^([\w.-]+\s*:[ \t]+)("[^"\\]*"|'[^']*'|[\w.+-]+)[ \t]*(?:#.*)?$/.exec(source)
  if (match === null) return undefined
  const [, prefix = "", value = ""] = match
  const text = fixOf(value)
  return text === undefined ? undefined : { line, column: prefix.length + 1, length: value.length, text }
}
