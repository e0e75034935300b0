/** The script of all sites: makes convenient what works without it. Its sources are in `client`. */
import { type Html, html, trusted } from "../html/Html.ts"
import * as ClientScript from "./ClientScript.ts"

export { blocks, diagrams, hashes, script, tryIt } from "./ClientScript.ts"

const inline = (text: string): Html => html`<script>${trusted(text)}</script>`

/** Programs that have to run before anything is painted: in the head, and behind the tree of pages. */
export const inHead: Html = inline(ClientScript.inHead)
export const inTree: Html = inline(ClientScript.inTree)
