/** Types of content that a body or a parameter may have. */
import { type Fields, fieldsOf, isFields } from "@lectern/core/computed/SpecReading"

const maxMedia = 10

export const all = ({ content }: Fields): ReadonlyArray<readonly [type: string, media: Fields]> =>
  Object.entries(fieldsOf(content))
    .slice(0, maxMedia)
    .flatMap(([type, media]) => (isFields(media) ? [[type, media] as const] : []))

export const first = (holder: Fields): Fields | undefined => all(holder)[0]?.[1]

/** Names with values, as forms send them. */
export const isForm = (type: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
