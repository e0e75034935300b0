/**
 * Characters by the names that HTML has for them, without `&` and `;`: `amp`, `copy`. The names are in a table: a
 * worker of a browser has no `document` that could be asked.
 */
import { characterEntities } from "character-entities"

/** Undefined for what is no such name. */
export const namedCharacter = (name: string): string | undefined =>
  Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined
