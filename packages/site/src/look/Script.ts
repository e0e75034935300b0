/** Scripts of all sites. Pages work without them; scripts add convenience. Sources are in `client`. */
import { type Html, html, trusted } from "../html/Html.ts"
import * as ClientScript from "./ClientScript.ts"

export { blocks, diagrams, hashes, script, tryIt } from "./ClientScript.ts"

const inline = (text: string): Html => html`<script>${trusted(text)}</script>`

/** Inline scripts that run before the first paint: `inHead` in the head, `inTree` after the tree of pages. */
export const inHead: Html = inline(ClientScript.inHead)
export const inTree: Html = inline(ClientScript.inTree)
