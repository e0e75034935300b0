/** Refuses conditions that can't be read, where callers send them. */
import { parse } from "@lectern/document/condition/Condition"
import { Effect, Result } from "effect"
import { InvalidInput } from "../schema/Input.ts"

/** Fails where one of the conditions can't be read; `null` and what is left out are none. */
export const accept = (
  conditions: Readonly<Record<string, string | null | undefined>>
): Effect.Effect<void, InvalidInput> => {
  const issues = Object.entries(conditions).flatMap(([path, text]) => {
    const tree = text === null || text === undefined ? undefined : parse(text)
    return tree !== undefined && Result.isFailure(tree) ? [{ path, message: tree.failure.message }] : []
  })
  return issues.length === 0 ? Effect.void : Effect.fail(new InvalidInput({ issues: issues.slice(0, 20) }))
}
