declare module "markdown-it-emoji/lib/data/full.mjs" {
  /** Emoji by their short names. */
  const emojiByName: { readonly [name: string]: string }
  export default emojiByName
}
