/**
 * State of a user's second factor, as pure functions from the stored row and an event to a patch of the row.
 *
 * - The app is absent, in setup (a secret without `confirmedAt`), or confirmed. Only a confirmed app counts.
 * - A code of the app is accepted once: its time step must be later than the last accepted one.
 * - After four wrong codes in a row each further one starts a pause: 30 seconds, doubled each time, at most an hour. A
 *   right code ends the series. Only a person who passed the first step can enter codes, so strangers cause no pause.
 */
import type { SecondFactorRow } from "@lectern/core/sign-in/SecondFactor"
import type { Sealed } from "@lectern/core/schema/Sealed"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { Patch } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"

type SecondFactorPatch = Patch<Omit<SecondFactorRow, "user">>

/** Number of wrong codes in a row that cause no pause. */
export const freeFailures = 4
const minPause = 30_000
const maxPause = 3_600_000

export type AppState = "absent" | "setup" | "confirmed"

export const emptySecondFactor = (user: UserId): SecondFactorRow => ({ user, recoveryCodes: [], failures: 0 })

export const appStateOf = (row: SecondFactorRow | undefined): AppState =>
  row?.secret === undefined ? "absent" : row.confirmedAt === undefined ? "setup" : "confirmed"

/** Returns the pause after a number of wrong codes in a row, in ms. */
export const pauseAfter = (failures: number): number =>
  failures <= freeFailures ? 0 : Math.min(minPause * 2 ** (failures - freeFailures - 1), maxPause)

/** Returns the end of the current pause. Undefined if codes are checked now. */
export const pauseEnd = ({ pausedUntil }: SecondFactorRow, now: number): Timestamp | undefined =>
  pausedUntil !== undefined && Date.parse(pausedUntil) > now ? pausedUntil : undefined

/** Starts the setup of an app, or starts it again with another secret. Undefined if an app is confirmed. */
export const startSetup = (row: SecondFactorRow, secret: Sealed<string>): SecondFactorPatch | undefined =>
  appStateOf(row) === "confirmed" ? undefined : { secret, lastStep: undefined }

/** Returns true if a code of this time step was not accepted before. */
export const isNewStep = ({ lastStep }: SecondFactorRow, step: number): boolean =>
  lastStep === undefined || step > lastStep

/** Accepts a code of the app. The first one confirms the app. */
export const acceptStep = (row: SecondFactorRow, step: number, now: number): SecondFactorPatch => ({
  ...acceptFactor,
  lastStep: step,
  confirmedAt: row.confirmedAt ?? Timestamps.at(now)
})

/** Accepts a recovery code, which cannot be used again. */
export const acceptRecoveryCode = ({ recoveryCodes }: SecondFactorRow, hash: string): SecondFactorPatch => ({
  ...acceptFactor,
  recoveryCodes: recoveryCodes.filter((code) => code !== hash)
})

/** Ends the series of wrong codes. */
export const acceptFactor: SecondFactorPatch = { failures: 0, pausedUntil: undefined }

/** Counts a wrong code. */
export const countFailure = ({ failures }: SecondFactorRow, now: number): SecondFactorPatch => {
  const pause = pauseAfter(failures + 1)
  return { failures: failures + 1, pausedUntil: pause === 0 ? undefined : Timestamps.at(now + pause) }
}

/** Removes the app. */
export const removeApp: SecondFactorPatch = { secret: undefined, confirmedAt: undefined, lastStep: undefined }

/** Ends the use of a second factor, after the last one was removed. */
export const withoutFactors: SecondFactorPatch = { ...removeApp, isWanted: undefined, recoveryCodes: [] }
