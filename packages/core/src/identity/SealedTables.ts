/**
 * All tables with encrypted fields. `Secrets` encrypts no other fields, so a key rotation covers all of them (see
 * `KeyRotation`).
 */
import { concepts } from "../Concepts.ts"

export const sealedTables = concepts.flatMap(({ sealed }) => sealed)
