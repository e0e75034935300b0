/** Texts of the pages about passkeys and second factors. A name in braces is a placeholder. */
import type { Plural } from "@lectern/core/schema/InterfaceLanguage"

export interface FactorMessages {
  readonly passkeys: {
    readonly title: string
    readonly about: string
    readonly none: string
    readonly add: string
    readonly name: string
    readonly save: string
    readonly remove: string
    readonly added: string
    readonly lastUsed: string
    readonly synced: string
    readonly needsScript: string
    readonly unsupported: string
    readonly unavailable: string
    readonly full: string
    readonly failed: string
    readonly exists: string
    readonly signIn: string
  }
  readonly factor: {
    readonly title: string
    readonly about: string
    readonly demanded: string
    readonly lastFactor: string
    readonly stale: string
    readonly signInAgain: string
    readonly othersEnded: string
  }
  readonly app: {
    readonly title: string
    readonly about: string
    readonly on: string
    readonly setUp: string
    readonly scan: string
    /** Name of the picture that contains the key. */
    readonly picture: string
    readonly key: string
    readonly code: string
    readonly confirm: string
    readonly remove: string
    readonly startAgain: string
  }
  readonly passkeyFactor: {
    readonly title: string
    readonly about: string
    readonly start: string
    readonly stop: string
  }
  readonly recovery: {
    readonly title: string
    readonly about: string
    readonly left: Plural
    readonly create: string
    readonly keep: string
    readonly stored: string
  }
  readonly step: {
    readonly title: string
    readonly code: string
    readonly passkey: string
    readonly continue: string
    readonly setUp: string
  }
  readonly codeRefused: {
    readonly wrong: string
    readonly used: string
    /** `{when}` is a time from now, such as `in 5 minutes`. */
    readonly paused: string
  }
}
