/** Texts of one language: the shape of the JSON files in this folder. A name in braces is a placeholder (see `fill`). */
export interface MailMessages {
  readonly footer: {
    /** Label of the link at the end of mails of a list. */
    readonly unsubscribe: string
  }
  /** Mail of `lectern mail test`. */
  readonly test: {
    readonly subject: string
    readonly text: string
    readonly reason: string
  }
  /** Invitation to an organization. */
  readonly invitation: {
    /** With `{organization}`. */
    readonly subject: string
    /** With `{name}` of the inviting person, and `{organization}`. */
    readonly invited: string
    /** If no person invited, with `{organization}`. */
    readonly invitedByNobody: string
    readonly explanation: string
    readonly button: string
    /** With `{email}`. */
    readonly reason: string
  }
  /** Page that unsubscribes from a list of mails. */
  readonly unsubscribe: {
    readonly title: string
    /** With `{list}`. */
    readonly confirm: string
    readonly one: string
    readonly all: string
    readonly done: string
    /** With `{list}`. */
    readonly doneOne: string
    readonly doneAll: string
    readonly invalid: string
    readonly invalidText: string
  }
}
