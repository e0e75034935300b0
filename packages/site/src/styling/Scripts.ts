/** Scripts of all sites. Pages work without them; scripts add convenience. Sources are in `client`. */
import { type Html, html, trusted } from "../html/Html.ts"
import * as ClientScripts from "./ClientScripts.ts"

export { blocks, diagrams, hashes, script, tryIt } from "./ClientScripts.ts"

const inlineScript = (text: string): Html => html`<script>${trusted(text)}</script>`

/** Inline scripts that run before the first paint: `restoreTheme` in the head, `restoreTree` after the tree of pages. */
export const restoreTheme: Html = inlineScript(ClientScripts.restoreTheme)
export const restoreTree: Html = inlineScript(ClientScripts.restoreTree)
