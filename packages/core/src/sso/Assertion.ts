/** Content of a signed assertion: text as it stands in it, times not yet read. */

export interface SubjectConfirmation {
  readonly method: string
  readonly recipient?: string
  readonly inResponseTo?: string
  readonly notBefore?: string
  readonly notOnOrAfter?: string
}

export interface Assertion {
  readonly id: string
  readonly issuer: string
  /** All of its text, whatever stands in between. */
  readonly nameID?: string
  readonly confirmations: ReadonlyArray<SubjectConfirmation>
  readonly notBefore?: string
  readonly notOnOrAfter?: string
  /** For each restriction, whom it admits. */
  readonly audiences: ReadonlyArray<ReadonlyArray<string>>
  /** When the identity provider wants the session to end. */
  readonly sessionNotOnOrAfter?: string
  /** The values of each attribute by its name. */
  readonly attributes: ReadonlyMap<string, ReadonlyArray<string>>
}
