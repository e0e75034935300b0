/**
 * Description of a mail, from which its text and its HTML are rendered. Texts are data: a renderer escapes them, so names
 * and comments of people can't become markup, links or header fields.
 *
 * ```ts
 * const content: MailContent = {
 *   subject: plainText(fill(texts.subject, { organization: "Acme" })),
 *   blocks: [
 *     paragraph(fill(texts.invited, { name: strong("Ada"), organization: "Acme" })),
 *     button(texts.open, url)
 *   ],
 *   reason: texts.reason
 * }
 * ```
 *
 * Limits: a subject of 200 characters in one line; 200 blocks; texts of 10,000 characters. Longer texts are cut, and
 * further blocks are left out.
 */

/**
 * Part of a text. A string is a text of Lectern in the language of the mail. `value` is a text of people, such as a name
 * in any script.
 */
export type MailSpan =
  | string
  | { readonly value: string; readonly isStrong?: true }
  | { readonly text: string; readonly url: string }

export type MailText = string | ReadonlyArray<MailSpan>

export type MailBlock =
  | { readonly type: "heading"; readonly text: MailText }
  | { readonly type: "paragraph"; readonly text: MailText }
  | { readonly type: "button"; readonly text: string; readonly url: string }
  | { readonly type: "list"; readonly items: ReadonlyArray<MailText> }
  /** Text of people, with its line breaks. */
  | { readonly type: "quote"; readonly text: string }

export interface MailContent {
  /** Subject, in one line. Control characters are removed. */
  readonly subject: string
  /** Text next to the subject in a list of mails. Default: the first paragraph. */
  readonly preview?: string
  readonly blocks: ReadonlyArray<MailBlock>
  /** Reason for the mail, at its end, such as "You are watching this space". */
  readonly reason: MailText
  /**
   * Name of the list that the recipient can unsubscribe from (see `MailList`). Absent for mails that the recipient
   * requested. Only mails to users can have a list.
   */
  readonly list?: string
}

export const heading = (text: MailText): MailBlock => ({ type: "heading", text })
export const paragraph = (text: MailText): MailBlock => ({ type: "paragraph", text })
/** Creates a button, for an absolute URL with http or https. */
export const button = (text: string, url: string): MailBlock => ({ type: "button", text, url })
export const list = (items: ReadonlyArray<MailText>): MailBlock => ({ type: "list", items })
export const quote = (text: string): MailBlock => ({ type: "quote", text })

/** Creates an emphasized text of people, such as a title. */
export const strong = (value: string): MailSpan => ({ value, isStrong: true })
export const link = (text: string, url: string): MailSpan => ({ text, url })

/** Inserts values for the placeholders of a text, such as `{name}`. A string is a text of people. */
export const fill = (
  template: string,
  values: Readonly<Record<string, MailSpan | undefined>>
): ReadonlyArray<MailSpan> =>
  template.split(/(\{\w+\})/).flatMap((part, i): ReadonlyArray<MailSpan> => {
    if (i % 2 === 0) return part === "" ? [] : [part]
    const value = values[part.slice(1, -1)]
    if (value === undefined) return []
    return [typeof value === "string" ? { value } : value]
  })

/** Returns a text without emphasis and URLs, for subjects. */
export const plainText = (text: MailText): string =>
  typeof text === "string"
    ? text
    : text.map((span) => (typeof span === "string" ? span : "value" in span ? span.value : span.text)).join("")
