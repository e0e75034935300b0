/** A mail as its renderers receive it: bounded texts, in the order in which they are displayed. */
import type { MailBlock, MailText } from "../MailContent.ts"

export interface MailPage {
  /** BCP 47 tag. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
  readonly subject: string
  readonly preview: string
  readonly blocks: ReadonlyArray<MailBlock>
  readonly reason: MailText
  /** Host of the instance. */
  readonly sender: string
  readonly unsubscribe?: { readonly text: string; readonly url: string }
}

/** Returns an absolute URL with http or https. Undefined for all other texts. */
export const webUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
