/**
 * Times that callers give, in ISO 8601: a date, of which the first moment in UTC is meant, or a date with a time and
 * its zone. The day has to be there: a month that is too short for it would make it one of the next.
 */
import { Schema } from "effect"
import * as Text from "./Text.ts"

const date = /^\d{4}(-\d\d){0,2}$/
const time = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Tells whether a date is one of the calendar. */
const isThere = (day: string): boolean => {
  const begin = Date.parse(day)
  return !Number.isNaN(begin) && new Date(begin).toISOString().startsWith(day)
}

export const GivenTime = Text.between(4, 40).check(
  Schema.makeFilter((text: string) => {
    const day = date.test(text) ? text : time.exec(text)?.[1]
    if (day !== undefined && !isThere(day)) return `Expected a date of the calendar: there is no ${day}`
    return day === undefined || Number.isNaN(Date.parse(text))
      ? "Expected a date, or a time with its zone, such as 2030-01-31T12:00:00Z"
      : undefined
  })
)

/** In milliseconds since 1970. */
export const millisOf = (given: typeof GivenTime.Type): number => Date.parse(given)
