/**
 * Times in input, in ISO 8601: a date (its start in UTC), or a date with time and zone. The day must exist:
 * `Date.parse` would move 31 February to March.
 */
import { Schema } from "effect"
import * as Text from "./Text.ts"

const date = /^\d{4}(-\d\d){0,2}$/
const time = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** True if the calendar has this date. */
const isExistingDay = (day: string): boolean => {
  const startOfDay = Date.parse(day)
  return !Number.isNaN(startOfDay) && new Date(startOfDay).toISOString().startsWith(day)
}

export const InputTime = Text.between(4, 40).check(
  Schema.makeFilter((text: string) => {
    const day = date.test(text) ? text : time.exec(text)?.[1]
    if (day !== undefined && !isExistingDay(day)) return `Expected a date of the calendar: there is no ${day}`
    return day === undefined || Number.isNaN(Date.parse(text))
      ? "Expected a date, or a time with its zone, such as 2030-01-31T12:00:00Z"
      : undefined
  })
)

/** Returns the time as epoch milliseconds. */
export const millisOf = (inputTime: typeof InputTime.Type): number => Date.parse(inputTime)
