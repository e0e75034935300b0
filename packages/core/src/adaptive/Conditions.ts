/** Rejects invalid conditions in requests. */
import { parse } from "@lectern/document/condition/Condition"
import { Effect, Result } from "effect"
import { InvalidInput } from "../schema/Input.ts"

/** Fails if one of the conditions does not parse. `null` and undefined are skipped. */
export const accept = (
  conditions: Readonly<Record<string, string | null | undefined>>
): Effect.Effect<void, InvalidInput> => {
  const issues = Object.entries(conditions).flatMap(([path, text]) => {
    const tree = text === null || text === undefined ? undefined : parse(text)
    return tree !== undefined && Result.isFailure(tree) ? [{ path, message: tree.failure.message }] : []
  })
  return issues.length === 0 ? Effect.void : Effect.fail(new InvalidInput({ issues: issues.slice(0, 20) }))
}
