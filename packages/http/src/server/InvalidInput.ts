/** Responses for input that a schema rejects: 400 with the invalid fields. */
import { issuesOf } from "@lectern/core/schema/Input"
import type { Schema } from "effect"
import { errorResponse } from "./Responses.ts"

/**
 * Returns the response for an invalid part of a request (`path`, `query` or `body`). The message includes the first
 * issue, since many clients display only the message.
 */
export const invalidInput = (url: string, place: string, { issue }: Schema.SchemaError) => {
  const issues = issuesOf(issue, place).map(({ path, message }) => ({
    path,
    message: isRepeated(url, path) ? "Expected it once" : message
  }))
  const summary = `The ${place === "body" ? "body" : `${place} parameters`} of the request can't be accepted`
  const message = [summary, ...issues.slice(0, 1).map(({ path, message }) => `${path}: ${message}`)].join(": ")
  return errorResponse(400, message, { issues })
}

/**
 * Returns true if a single-valued query parameter was repeated. Its values are decoded as a list, which the schema
 * rejects.
 */
const isRepeated = (url: string, path: string): boolean => {
  const [, name] = /^query\.([^.[]+)$/.exec(path) ?? []
  return name !== undefined && new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll(name).length > 1
}
