/** Name of a check, unique within a change request: 1 to 100 characters in one line. */
import * as Text from "../schema/Text.ts"

/** Maximum number of checks of a change request. */
export const maxChecks = 50

export const CheckName = Text.line(1, 100)
