import type { OptionNames } from "../schema/OptionNames.ts"

/** Duration in options and input: the sum of its parts, such as `{ minutes: 1, seconds: 30 }`. */
export interface DurationLike {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

export const durationNames: OptionNames<DurationLike> = {
  days: true,
  hours: true,
  minutes: true,
  seconds: true,
  milliseconds: true
}
