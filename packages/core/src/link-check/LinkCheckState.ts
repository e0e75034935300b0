/**
 * State of a checked URL, as a pure function. One answer that it is gone is no verdict: it takes two in a row,
 * at least six hours apart. Any other outcome (success, a refusal, an error, no answer at all) leaves the link
 * `ok`, since it does not say that nothing is there.
 *
 * | from          | gone                                   | anything else |
 * |---------------|----------------------------------------|---------------|
 * | unchecked, ok | doubtful                               | ok            |
 * | doubtful      | broken; doubtful where it is too soon  | ok            |
 * | broken        | broken                                 | ok            |
 *
 * It is asked for again after 7 days where it is ok, 12 hours where that is in doubt, a day where it
 * is broken; a host that is busy says when.
 */
import { Duration } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import type { LinkCheckRow } from "./LinkCheck.ts"

/** Answer to one check of a URL. */
export interface LinkAnswer {
  /** The host says that nothing is there, or there is no such host. */
  readonly gone: boolean
  /** In a word or a status. */
  readonly answer: string
  /** The host wants to be left alone, or does not answer: for how long it is (ms). */
  readonly rest?: number
  /** The URL is to be asked for again after that time: the host has not looked what is there. */
  readonly isPutOff?: true
}

export const leastApart = Duration.toMillis(Duration.hours(6))

const again = {
  ok: Duration.toMillis(Duration.days(7)),
  doubtful: Duration.toMillis(Duration.hours(12)),
  broken: Duration.toMillis(Duration.days(1))
}

export type LinkCheckPatch = Patch<Omit<LinkCheckRow, "organization" | "url" | "host">>

export const next = (
  { state, goneAt }: Pick<LinkCheckRow, "state" | "goneAt">,
  { gone, answer, rest, isPutOff }: LinkAnswer,
  now: Timestamp
): LinkCheckPatch => {
  const after = (millis: number) => Timestamps.at(Date.parse(now) + millis)
  const checked = { answer, checkedAt: now }
  if (!gone) {
    const dueAt = after(isPutOff === true && rest !== undefined ? rest : again.ok)
    return { ...checked, state: "ok", goneAt: undefined, dueAt }
  }
  const since = state === "doubtful" || state === "broken" ? (goneAt ?? now) : now
  const isCertain = state === "broken" || Date.parse(now) - Date.parse(since) >= leastApart
  const held = isCertain ? "broken" : "doubtful"
  return { ...checked, state: held, goneAt: since, dueAt: after(again[held]) }
}
