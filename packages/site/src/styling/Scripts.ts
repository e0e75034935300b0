/** Scripts of all sites. Pages work without them; scripts add convenience. Sources are in `client`. */
import { type Html, html, trusted } from "../html/Html.ts"
import * as ClientScripts from "./ClientScripts.ts"

export { blocks, diagrams, hashes, script, tryIt } from "./ClientScripts.ts"

const inlineScript = (text: string): Html => html`<script>${trusted(text)}</script>`

/** Script for the head of a page. Applies the reader's theme before the browser paints the page. */
export const restoreTheme: Html = inlineScript(ClientScripts.restoreTheme)

/** Script to place after the tree of pages. Restores open groups and the scroll position before the browser paints. */
export const restoreTree: Html = inlineScript(ClientScripts.restoreTree)
