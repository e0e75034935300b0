/** Input that a schema refuses is a 400 that says where and why. */
import { issuesOf } from "@lectern/core/schema/Input"
import type { Schema } from "effect"
import { errorResponse } from "./Answers.ts"

/** The answer to a request of which one place is not as its schema says. */
export const invalidInput = (url: string, place: string, { issue }: Schema.SchemaError) =>
  errorResponse(400, `The ${place === "body" ? "body" : `${place} parameters`} of the request can't be accepted`, {
    issues: issuesOf(issue, place).map(({ path, message }) => ({
      path,
      message: isRepeated(url, path) ? "Expected it once" : message
    }))
  })

/**
 * Tells whether a query parameter that takes one value was given several. Together they are a list, which is
 * not its type.
 */
const isRepeated = (url: string, path: string): boolean => {
  const [, name] = /^query\.([^.[]+)$/.exec(path) ?? []
  return name !== undefined && new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll(name).length > 1
}
