/**
 * Every table with fields that are sealed. What is not here, or not declared by its table, can't be
 * sealed at all (see `Secrets`), so that a change of keys finds everything (see `KeyRotation`).
 */
import { concepts } from "../Concepts.ts"

export const sealedTables = concepts.flatMap(({ sealed }) => sealed)
