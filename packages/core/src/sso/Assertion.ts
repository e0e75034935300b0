/** Content of a signed assertion. Texts and times are unparsed. */

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
  /** Text content of the element, including nested parts. */
  readonly nameID?: string
  readonly confirmations: ReadonlyArray<SubjectConfirmation>
  readonly notBefore?: string
  readonly notOnOrAfter?: string
  /** Admitted audiences, one list for each restriction. */
  readonly audiences: ReadonlyArray<ReadonlyArray<string>>
  /** End of the session according to the identity provider. */
  readonly sessionNotOnOrAfter?: string
  /** Values of attributes by name. */
  readonly attributes: ReadonlyMap<string, ReadonlyArray<string>>
}
