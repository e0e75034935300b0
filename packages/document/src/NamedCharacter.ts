/**
 * Characters by their HTML names without `&` and `;`, such as `amp` or `copy`. Uses a table, because a browser's worker
 * has no `document` that could decode them.
 */
import { characterEntities } from "character-entities"

/** Returns the character. Undefined for an unknown name. */
export const namedCharacter = (name: string): string | undefined =>
  Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined
