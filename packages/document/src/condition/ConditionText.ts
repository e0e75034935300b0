/**
 * Text of a condition in requests and in the store. The services that accept a condition check its syntax (see
 * `Condition`), so that the definition of the interface does not depend on the parser.
 *
 * Limits: 1 to 1,024 characters.
 */
import { between } from "../TextSchema.ts"

export const maxLength = 1024

export const ConditionText = between(1, maxLength)
export type ConditionText = typeof ConditionText.Type
