/**
 * Times in input, in ISO 8601: a date (its start in UTC), or a date with time and zone. The day must exist:
 * `Date.parse` would move 31 February to March. Methods with promises also accept a `Date` (see `Promised`).
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

declare const inputTime: unique symbol

/** Any string. The type distinguishes times from other text, so that methods with promises accept a `Date`. */
export type InputTime = string & { readonly [inputTime]?: never }

export const InputTime: Schema.Codec<InputTime, string> = Text.between(4, 40).check(
  Schema.makeFilter((text: string) => {
    const day = date.test(text) ? text : time.exec(text)?.[1]
    if (day !== undefined && !isExistingDay(day)) return `Expected a date of the calendar: there is no ${day}`
    return day === undefined || Number.isNaN(Date.parse(text))
      ? "Expected a date, or a time with its zone, such as 2030-01-31T12:00:00Z"
      : undefined
  })
)

/** Returns the time as epoch milliseconds. */
export const millisOf = (time: InputTime): number => Date.parse(time)
