/** Input that a schema refuses is a 400 that says where and why. */
import { issuesOf } from "@lectern/core/schema/Input"
import type { Schema } from "effect"
import { errorResponse } from "./Answers.ts"

/**
 * The answer to a request of which one place is not as its schema says. The message has the first of the issues: many
 * clients show nothing else of an error.
 */
export const invalidInput = (url: string, place: string, { issue }: Schema.SchemaError) => {
  const issues = issuesOf(issue, place).map(({ path, message }) => ({
    path,
    message: isRepeated(url, path) ? "Expected it once" : message
  }))
  const refused = `The ${place === "body" ? "body" : `${place} parameters`} of the request can't be accepted`
  const message = [refused, ...issues.slice(0, 1).map(({ path, message }) => `${path}: ${message}`)].join(": ")
  return errorResponse(400, message, { issues })
}

/**
 * Tells whether a query parameter that takes one value was given several. Together they are a list, which is
 * not its type.
 */
const isRepeated = (url: string, path: string): boolean => {
  const [, name] = /^query\.([^.[]+)$/.exec(path) ?? []
  return name !== undefined && new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll(name).length > 1
}
