/**
 * The text of a condition, as it is sent and kept. Whether it can be read is checked by the services
 * that take it (see `Condition`): what reads it is no part of the definition of the interface.
 *
 * Limits: 1 to 1,024 characters.
 */
import * as Text from "../Text.ts"

export const maxLength = 1024

export const ConditionText = Text.between(1, maxLength)
export type ConditionText = typeof ConditionText.Type
