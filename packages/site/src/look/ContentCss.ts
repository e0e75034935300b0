/**
 * The look of content: every block, inline and mark that `document/` draws, in the layer `content`. Colours, fonts and
 * corners are custom properties of the site (see `Style`). Sides are logical, so that a text from right to left is
 * mirrored by itself. Widths go by the container, so that a block looks right in a column, too.
 */
import { kinds } from "./CodeThemes.ts"

export const css = `
@layer content {
.content { --gap: 1.15em; font-size: 1rem; line-height: 1.7; overflow-wrap: break-word; container-type: inline-size }
:where(.content :is(p, ul, ol, blockquote, figure, pre, table, hr, h2, h3, h4, h5, h6, dl)) { margin: 0 }
:where(.content, .hint-text, .panel, .column, .content li, .content blockquote, .update-body, .body, .note, .content td, .content th, .footnotes > ol > li > div) > * + * { margin-block-start: var(--gap) }
.content :where(li, td, th, .note) { --gap: .6em }
.hint-text { --gap: .75em }

/* Text */
.content :where(h2, h3, h4, h5, h6) { position: relative; font-weight: 650; line-height: 1.3; letter-spacing: -.014em; text-wrap: balance; scroll-margin-block-start: 6rem }
.content h2 { font-size: 1.55rem; letter-spacing: -.02em }
.content h3 { font-size: 1.23rem }
.content h4 { font-size: 1.05rem }
.content :where(h5, h6) { font-size: 1rem; color: var(--muted) }
:where(.content, .panel, .column, .body, .update-body) > * + h2 { margin-block-start: 2.1em }
:where(.content, .panel, .column, .body, .update-body) > * + :is(h3, h4, h5, h6) { margin-block-start: 1.8em }
:where(.content, .panel, .column, .body, .update-body) > :is(h2, h3, h4, h5, h6) + * { margin-block-start: .85em }
.content .anchor { position: absolute; inset-inline-start: max(-1.1em, -1rem); inline-size: min(1.1em, 1rem); opacity: 0; color: var(--muted); text-decoration: none; font-weight: 400; transition: opacity .12s }
.content .anchor::before { content: "#" }
:is(h2, h3, h4, h5, h6):hover > .anchor, .anchor:focus-visible { opacity: 1 }
.content a:not([class]) { color: var(--primary); text-decoration: underline; text-decoration-thickness: 1px; text-decoration-color: color-mix(in oklab, var(--primary) 40%, transparent); text-underline-offset: .2em; transition: text-decoration-color .12s }
.content a:not([class]):hover { text-decoration-color: currentColor }
.content :where(strong, b) { font-weight: 650; color: var(--ink) }
.content .align-center { text-align: center }
.content :is(.align-end, .align-right) { text-align: end }
.content :not(pre) > code { padding: .12em .36em; border: 1px solid var(--line); border-radius: min(var(--radius), 6px); background: var(--panel); font: .86em/1.4 var(--mono, ui-monospace, monospace); overflow-wrap: break-word; -webkit-box-decoration-break: clone; box-decoration-break: clone }
.content :is(h2, h3, h4, h5, h6) code { font-weight: inherit }
.content a code { color: inherit }
.content kbd { display: inline-block; padding: .05em .45em; border: 1px solid var(--edge, var(--line)); border-block-end-width: 2px; border-radius: min(var(--radius), 6px); background: var(--raised, var(--panel)); font: .82em/1.5 var(--font, system-ui), sans-serif; color: var(--ink) }
.content :is(sup, sub) { font-size: .75em; line-height: 0 }
.content [role=doc-noteref] { padding-inline: .15em; text-decoration: none }
.content del { color: var(--muted) }
.content hr { border: 0 solid var(--line); border-block-start-width: 1px; margin-block: 2.4em }
.content blockquote { padding-inline-start: 1.1em; border-inline-start: 3px solid var(--line); color: var(--muted) }
.content .missing { display: inline-block; padding: .35em .8em; border: 1px dashed var(--edge, var(--line)); border-radius: var(--radius); color: var(--muted); font-size: .9em }
p.missing { display: block; inline-size: fit-content }
.content .emoji { font-family: "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif; font-style: normal }
.content .mention { font-weight: 550 }
.content svg.icon { block-size: 1em; inline-size: auto; min-inline-size: 1em; vertical-align: -.125em; fill: currentColor; overflow: visible }
.content svg.ui { inline-size: 1.25em; block-size: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
.content .sign { display: inline-grid; place-items: center; flex: none }

/* Lists */
.content :where(ul, ol):not([class]) { padding-inline-start: 1.5em }
.content :where(ul, ol):not([class]) > li { padding-inline-start: .25em }
.content :where(ul, ol):not([class]) > li + li { margin-block-start: .4em }
.content li::marker { color: var(--muted) }
.content li > :where(ul, ol) { margin-block-start: .4em }
.tasks { list-style: none; padding: 0 }
.tasks > li:has(> input) { display: flex; gap: .65em }
.tasks > li:not(:has(> input)) { list-style: disc; margin-inline-start: 1.75em }
.tasks > li + li { margin-block-start: .4em }
.tasks > li > :where(input, div) { margin: 0 }
.tasks > li > div { flex: 1; min-inline-size: 0 }
.tasks input { appearance: none; flex: none; inline-size: 1.1em; block-size: 1.1em; margin-block-start: .3em; border: 1.5px solid var(--edge, var(--line)); border-radius: min(var(--radius), 5px); background: var(--ground) }
.tasks input:checked { border-color: var(--primary-fill, var(--primary)); background: var(--primary-fill, var(--primary)) }
.tasks input:checked::before { content: ""; display: block; inline-size: .3em; block-size: .58em; margin: .08em auto 0; border: solid var(--on-primary, light-dark(#fff, #0b0d12)); border-width: 0 .13em .13em 0; rotate: 45deg }

/* Hints */
.hint { --sign: var(--info); --under: var(--info-soft, var(--panel)); display: flex; gap: .8em; padding: .9em 1.1em; border: 1px solid color-mix(in oklab, var(--sign) 22%, transparent); border-radius: var(--radius); background: var(--under) }
.hint.success { --sign: var(--success); --under: var(--success-soft, var(--panel)) }
.hint.warning { --sign: var(--warning); --under: var(--warning-soft, var(--panel)) }
.hint.danger { --sign: var(--danger); --under: var(--danger-soft, var(--panel)) }
.hint-icon { flex: none; display: grid; place-items: center; block-size: 1.7em; color: var(--sign) }
.hint-text { flex: 1; min-inline-size: 0 }
.hint-text > :is(h2, h3, h4, h5, h6):first-child { font-size: 1rem; line-height: 1.7; letter-spacing: 0 }
.hint-text > :is(h2, h3, h4, h5, h6):first-child + * { margin-block-start: .2em }
.hint a:not([class]) { color: inherit; text-decoration-color: color-mix(in oklab, currentColor 45%, transparent) }
.hint :not(pre) > code { border-color: transparent; background: color-mix(in oklab, var(--sign) 12%, transparent) }

/* Tabs: the chosen radio button shows the panel behind it. */
.tabs { display: flex; flex-wrap: wrap; border: 1px solid var(--line); border-radius: var(--radius); background: var(--ground) }
.tab { position: relative; order: 0; overflow-wrap: anywhere; display: flex; align-items: center; gap: .5em; padding: .6em 1em; color: var(--muted); font-size: .92em; font-weight: 550; cursor: pointer }
.tabs::after { content: ""; order: 1; inline-size: 100%; border-block-start: 1px solid var(--line) }
.tab input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: inherit }
.tab:hover { color: var(--ink) }
.tab:has(:checked) { color: var(--primary) }
.tab:has(:checked)::after { content: ""; position: absolute; inset-inline: .8em; inset-block-end: -1px; block-size: 2px; border-radius: 2px; background: var(--primary) }
.tab:has(:focus-visible) { outline: 2px solid var(--primary); outline-offset: -3px; border-radius: var(--radius) }
.panel { order: 2; display: none; inline-size: 100%; min-inline-size: 0; padding: 1.1em }
.tab:has(:checked) + .panel, .tabs:not(:defined) > :is(.tab:target + .panel, .panel:has(:target)) { display: block }
.panel > .code:only-child { margin: -1.1em; border: 0; border-radius: 0 0 var(--radius) var(--radius) }

/* Steps */
.stepper { list-style: none; padding: 0; counter-reset: step }
.stepper > li { position: relative; min-block-size: 3em; padding-inline-start: 3.2em; padding-block-end: 1.8em; counter-increment: step }
.stepper > li::before { content: counter(step); position: absolute; inset-block-start: 0; inset-inline-start: 0; display: grid; place-items: center; inline-size: 2em; block-size: 2em; border-radius: 50%; background: var(--primary-soft, var(--panel)); color: var(--primary); font-size: .9em; font-weight: 650; font-variant-numeric: tabular-nums }
.stepper > li::after { content: ""; position: absolute; inset-block: 2.3em .5em; inset-inline-start: .87em; border-inline-start: 1px solid var(--line) }
.stepper > li:last-child { padding-block-end: 0 }
.stepper > li:last-child::after { display: none }
.stepper > li:has(> .step-sign)::before { content: "" }
.step-sign { position: absolute; inset-block-start: 0; inset-inline-start: 0; display: grid; place-items: center; inline-size: 1.8em; block-size: 1.8em; color: var(--primary) }
.stepper > li > .step-sign + * { margin-block-start: 0 }
.stepper > li > :is(h2, h3, h4, h5, h6):first-of-type { font-size: 1.1rem; line-height: 1.65 }
.stepper > li > :is(h2, h3, h4, h5, h6) + * { margin-block-start: .5em }
.stepper > li { --gap: 1em }

/* Columns */
.columns { display: flex; flex-wrap: wrap; gap: 1.5em 2em }
.column { flex: 6 1 0; min-inline-size: min(100%, 13rem) }
${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `.column.of-12-${n} { flex-grow: ${n} }`).join("\n")}
.column:is(.of-12-1, .of-12-2, .of-12-3) { min-inline-size: min(100%, 8rem) }
.valign-middle { align-self: center }
.valign-bottom { align-self: end }

/* What opens */
.content :is(.expandable, .prompt) { border: 1px solid var(--line); border-radius: var(--radius); background: var(--ground) }
.content .expandable + .expandable { margin-block-start: .6em }
.content :is(.expandable, .prompt) > summary { display: flex; align-items: center; gap: .7em; padding: .75em 1.1em; border-radius: inherit; font-weight: 550; cursor: pointer; list-style: none }
.content summary { overflow-wrap: anywhere }
.content summary::-webkit-details-marker { display: none }
.content :is(.expandable, .prompt) > summary::before { content: ""; flex: none; inline-size: .42em; block-size: .42em; border: solid var(--muted); border-width: 0 1.6px 1.6px 0; rotate: -45deg; transition: rotate .15s }
.content :is(li, td, th, summary, figcaption, dt, dd) { unicode-bidi: plaintext }
.content :dir(rtl) > summary::before { rotate: 135deg }
.content :is(.expandable, .prompt)[open] > summary::before { rotate: 45deg }
.content :is(.expandable, .prompt) > summary:hover { background: var(--panel) }
.content :is(.expandable, .prompt) > .body { padding: .2em 1.1em 1.1em }
.content .prompt { background: var(--panel) }

/* Code */
.content .code { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--code-ground); overflow: clip }
.content .code figcaption { margin: 0; padding: .55em 1.1em; border-block-end: 1px solid var(--line); color: var(--muted); font: 500 .82em/1.6 var(--mono, ui-monospace, monospace); text-align: start }
.content :is(.code pre, .verbatim) { padding: .95em 1.1em; overflow: auto; direction: ltr; text-align: left; tab-size: 2; font: .86em/1.65 var(--mono, ui-monospace, monospace); color: var(--code) }
.content .verbatim { border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel) }
.content pre:focus-visible { outline: 2px solid var(--primary); outline-offset: -2px; border-radius: var(--radius) }
.code code { display: block; inline-size: max-content; min-inline-size: 100%; font: inherit }
.code.wrapped code { inline-size: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.code.lined pre { padding-inline: 0 }
.code .line { display: block; padding-inline: 1.28em }
.code .rest:not(:has(.line)) { display: inline }
.code.numbered { counter-reset: line }
.code.numbered .line { position: relative; padding-inline-start: 4.4em; counter-increment: line }
.code.numbered .line::before { content: counter(line); position: absolute; inset-inline-start: 0; inline-size: 3em; text-align: end; color: var(--muted); opacity: .8; user-select: none }
.code .marked { background: color-mix(in oklab, var(--primary-fill, var(--primary)) 12%, transparent); box-shadow: inset 3px 0 var(--primary-fill, var(--primary)) }
.code .ins { background: color-mix(in oklab, var(--success) 13%, transparent) }
.code .del { background: color-mix(in oklab, var(--danger) 13%, transparent) }
.code .more { position: relative; display: block; padding: .5em; border-block-start: 1px solid var(--line); color: var(--muted); font-size: .85em; font-weight: 550; text-align: center; cursor: pointer }
.code .more:hover { color: var(--ink) }
.code .more input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: inherit; inline-size: 100%; block-size: 100% }
.code .more:has(:focus-visible) { outline: 2px solid var(--primary); outline-offset: -3px }
.code:has(.more input:not(:checked)) .rest { display: none }
.code:has(.more :checked) .more { display: none }

${kinds.map((kind) => `.code .${kind} { color: var(--code-${kind}) }`).join("\n")}

/* Tables */
.content .table { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius) }
.content .table:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px }
.content table { inline-size: 100%; border-collapse: collapse; font-size: .94em; line-height: 1.55; font-variant-numeric: tabular-nums }
.content :is(th, td) { padding: .65em 1em; text-align: start; vertical-align: top; min-inline-size: 6em }
.content :is(th, thead td) { background: var(--panel); color: var(--muted); font-size: .92em; font-weight: 600; white-space: nowrap; vertical-align: bottom }
.content tr + tr > td, .content thead + tbody > tr:first-child > td { border-block-start: 1px solid var(--line) }
.content td[rowspan], .content td[colspan] { border-inline: 1px solid var(--line) }
.content td img { max-inline-size: 8rem; border-radius: min(var(--radius), 6px) }
.content .tag { display: inline-block; padding: .05em .6em; border-radius: 99px; background: var(--primary-soft, var(--panel)); color: var(--primary); font-size: .85em; font-weight: 550; white-space: nowrap }
.content .values { display: flex; flex-wrap: wrap; gap: .35em .6em }
.content .rating { color: var(--warning); letter-spacing: .1em; white-space: nowrap }

/* Cards */
.content .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: 1rem; padding: 0; list-style: none }
.content .cards.large { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)) }
.card { position: relative; display: flex; flex-direction: column; overflow: clip; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised, var(--ground)); transition: border-color .15s, box-shadow .15s }
.card:has(.card-link):hover { border-color: color-mix(in oklab, var(--primary) 55%, var(--line)); box-shadow: 0 4px 18px -8px color-mix(in oklab, var(--ink) 30%, transparent) }
.card:has(.card-link:focus-visible) { outline: 2px solid var(--primary); outline-offset: 2px }
.card-link { position: absolute; inset: 0; z-index: 1; outline: 0 }
.card-cover { background: var(--panel) }
.card-cover img { display: block; inline-size: 100%; block-size: auto; aspect-ratio: 16 / 9; object-fit: cover }
.card-text { display: grid; gap: .3em; padding: 1em 1.15em; font-size: .94em; line-height: 1.55; color: var(--muted) }
.card-text > div:first-child { color: var(--ink); font-size: 1rem }
.card-text :is(a, button, summary) { position: relative; z-index: 2 }

/* Pictures */
.content img { max-inline-size: 100%; block-size: auto }
.content figure > img, .zoom > img { display: block; margin-inline: auto; border-radius: var(--radius) }
.zoom { display: block; cursor: zoom-in }
.drawing-frame { position: fixed; inset: 0 auto auto 0; inline-size: min(48rem, 100%); block-size: 30rem; border: 0; visibility: hidden; z-index: -1 }
lectern-diagram { display: block; margin-block: 1.5em }
lectern-diagram img { background: none; margin-inline: auto; border-radius: 0 }
.diagram-source > summary { display: list-item; min-block-size: 1.5rem; list-style: disclosure-closed inside; color: var(--muted); font-size: .85em }
.diagram-source[open] > summary { list-style-type: disclosure-open; margin-block-end: .4em }
@media (scripting: enabled) { lectern-diagram:not([data-state]) details { animation: late 6s step-end } }
@keyframes late { 0% { visibility: hidden; max-block-size: 12rem; overflow: hidden } }
.content .zoom.light-only:has(+ .dark-only) { margin: 0 }
.content .light-only + .dark-only { margin-block-start: 0 }
.content figcaption { margin-block-start: .7em; color: var(--muted); font-size: .88em; line-height: 1.5; text-align: center }
.images { display: flex; flex-wrap: wrap; justify-content: center; gap: 1rem }
.images > figure { flex: 0 1 auto; min-inline-size: 0 }
.images.align-left { justify-content: start }
.images.align-right { justify-content: end }
.images.framed > figure { flex: 1; padding: clamp(.8rem, 4cqi, 2rem); border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.5); background: radial-gradient(var(--line) 1px, transparent 1px) 0 0 / 14px 14px var(--panel) }
.images.framed img { box-shadow: 0 8px 28px -12px color-mix(in oklab, #000 40%, transparent) }
${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `.images > .of-12-${n} { flex-basis: ${Math.round((n * 10000) / 12) / 100}% }`).join("\n")}
.content .inline-image { vertical-align: middle }
.content .inline-image.line { block-size: 1.2em; inline-size: auto; vertical-align: -.2em }

/* Files, references, embeds */
.content .file a, .content-ref { display: flex; align-items: center; gap: .9em; padding: .8em 1.1em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised, var(--ground)); color: var(--ink); text-decoration: none; transition: border-color .15s, box-shadow .15s }
:is(.file a, .content-ref, .embed-card, .play):hover { border-color: color-mix(in oklab, var(--primary) 55%, var(--line)) }
:is(.file, .content-ref) .sign { color: var(--muted) }
.file .file-name { flex: 1; min-inline-size: 0; font-weight: 550; overflow-wrap: anywhere }
.file .file-about { color: var(--muted); font-size: .86em; white-space: nowrap }
.content-ref-text { flex: 1; display: grid; min-inline-size: 0; line-height: 1.45 }
.content-ref strong { font-weight: 600 }
.content-ref-text > span { color: var(--muted); font-size: .9em }
.content-ref::after { content: ""; flex: none; inline-size: .45em; block-size: .45em; border: solid var(--muted); border-width: 1.6px 1.6px 0 0; rotate: 45deg }
.content-ref:dir(rtl)::after { rotate: -135deg }
.content-ref + .content-ref { margin-block-start: .6em }
.embed-card { display: grid; gap: .1em; padding: .8em 1.1em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised, var(--ground)); color: var(--ink); text-decoration: none }
.embed-url { color: var(--muted); font-size: .86em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: ltr }
.content lectern-embed { display: block }
.play { display: grid; place-content: center; justify-items: center; gap: .35em; padding: 1.5em; aspect-ratio: 16 / 9; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel); color: var(--ink); font-weight: 550; text-align: center; text-decoration: none }
.play .embed-url { max-inline-size: 80cqi; min-block-size: 1lh; font-weight: 400 }
.low .play { aspect-ratio: auto }
.play-sign { display: grid; place-items: center; inline-size: 3.4em; block-size: 3.4em; margin-block-end: .4em; border-radius: 50%; background: var(--primary-fill, var(--primary)) }
.play-sign::before { content: ""; margin-left: .25em; border: solid transparent; border-left-color: var(--on-primary, light-dark(#fff, #0b0d12)); border-width: .6em 0 .6em 1em }
.content lectern-embed iframe { display: block; inline-size: 100%; aspect-ratio: 16 / 9; border: 0; border-radius: var(--radius); background: var(--panel) }
.content lectern-embed.tall iframe { aspect-ratio: 4 / 3; min-block-size: 30rem }
.content lectern-embed.low iframe { aspect-ratio: auto; block-size: 12rem }
.content :is(video, audio) { display: block; inline-size: 100%; border-radius: var(--radius) }

/* Buttons */
.content .button { display: inline-flex; max-inline-size: 100%; overflow-wrap: anywhere; vertical-align: middle; align-items: center; gap: .5em; padding: .5em 1.1em; border: 1px solid transparent; border-radius: var(--radius); background: var(--primary-fill, var(--primary)); color: var(--on-primary, light-dark(#fff, #0b0d12)); font-size: .94em; font-weight: 600; line-height: 1.5; text-decoration: none; transition: filter .15s, background .15s }
.content .button:hover { filter: brightness(1.08) }
.content .button.secondary { border-color: var(--edge, var(--line)); background: var(--raised, var(--ground)); color: var(--ink) }
.content .button.secondary:hover { background: var(--panel); filter: none }
.content .button.small { padding: .25em .75em; font-size: .86em }
.content .button.large { padding: .7em 1.5em; font-size: 1.02em }

/* Terms */
.content dt { font-weight: 600 }
.content dd { margin-inline-start: 1.5em }
.content dd + dt { margin-block-start: .6em }

/* Notes */
.annotation { display: inline; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: start; text-decoration: underline dotted var(--primary) 1.5px; text-underline-offset: .25em; cursor: help }
.annotation:hover { background: var(--primary-soft, var(--panel)) }
.note { max-inline-size: min(26rem, calc(100vw - 2rem)); padding: .9em 1.1em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised, var(--ground)); color: var(--ink); font-size: .92rem; font-weight: 400; line-height: 1.6; text-align: start; white-space: normal; box-shadow: 0 12px 36px -12px color-mix(in oklab, #000 45%, transparent) }
@supports (position-area: block-end) { .note:popover-open { inset: auto; margin: .5em; position-area: block-end span-inline-end; position-try-fallbacks: flip-block, flip-inline, flip-block flip-inline } }
.content .footnotes { margin-block-start: 2.5em; padding-block-start: 1.2em; border-block-start: 1px solid var(--line); color: var(--muted); font-size: .9em }
.content .footnotes > ol > li:target { color: var(--ink) }
.content .footnotes > ol > .unnumbered { list-style: none }
.footnotes > ol > li > div { display: inline }
.footnotes > ol > li > div > p:last-child { display: inline }
.footnote-back { margin-inline-start: .4em }
.footnote-reference > a { padding-inline: .15em; text-decoration: none }

/* Updates */
.content .update { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8em 2.2em }
.content .update + .update { margin-block-start: 2.4em; padding-block-start: 2.4em; border-block-start: 1px solid var(--line) }
.content .update > header { display: flex; flex-wrap: wrap; align-content: start; gap: .5em; color: var(--muted); font-size: .9em; font-weight: 550 }
.content .update time { inline-size: 100% }
.content .update .tag { white-space: normal; overflow-wrap: anywhere }
.update-body > :is(h2, h3):first-child { font-size: 1.3rem }
@container (inline-size > 36rem) { .content .update { grid-template-columns: 9rem minmax(0, 1fr) } }
.updates.short .update + .update { margin-block-start: 1.2em; padding-block-start: 1.2em }

/* Formulas */
.content .math { overflow-x: auto; overflow-y: hidden; padding-block: .3em; text-align: center }
.content .math:focus-visible { outline: 2px solid var(--primary) }
.formula-box { position: relative; direction: ltr }
.content .formula { vertical-align: 0; overflow: visible }
.content :is(.math, .table) .formula { max-inline-size: none }
.math .formula { display: inline-block; vertical-align: middle }
.formula-text { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
${Array.from({ length: 40 }, (_, i) => `.content .deep-${i + 1} { vertical-align: ${-(i + 1) / 4}ex }`).join("\n")}

/* APIs that are not there */
.api-part { display: flex; align-items: center; gap: .7em; padding: .7em 1.1em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel) }
.api-part .method { color: var(--primary); font: 650 .8em/1 var(--mono, ui-monospace, monospace) }

/* Colours of words */
${Object.entries({ red: 27, orange: 55, yellow: 90, green: 150, blue: 255, purple: 305, pink: 350, teal: 195 })
  .map(
    ([name, hue]) =>
      `.ink-${name} { color: light-dark(oklch(.48 .14 ${hue}), oklch(.8 .12 ${hue})) }\n.ground-${name} { background: light-dark(oklch(.94 .05 ${hue}), oklch(.34 .06 ${hue})) }`
  )
  .join("\n")}
:is(.ink-gray, .ink-grey) { color: var(--muted) }
:is(.ground-gray, .ground-grey) { background: var(--panel) }
${["primary", "info", "success", "warning", "danger"].map((name) => `.ink-${name} { color: var(--${name}) }\n.ground-${name} { background: var(--${name}-soft, var(--panel)) }`).join("\n")}
[class*="ground-"] { padding: .05em .25em; border-radius: min(var(--radius), 4px); -webkit-box-decoration-break: clone; box-decoration-break: clone }

@container (inline-size < 30rem) {
.panel, .content :is(.expandable, .prompt) > .body { padding-inline: .85em }
.panel > .code:only-child { margin-inline: -.85em }
.content .file a { flex-wrap: wrap }
.stepper > li { padding-inline-start: 2.6em }
}
@media (prefers-reduced-motion: reduce) { .content * { transition: none !important } }
@media (forced-colors: active) {
.tab:has(:checked) { outline: 2px solid }
.tasks input { appearance: auto }
.code .marked { outline: 1px solid; outline-offset: -1px }
.play-sign::before { forced-color-adjust: none; border-left-color: LinkText }
}
@media print {
.content { font-size: 10.5pt }
.tab { order: 0; inline-size: 100% }
.tabs { display: block }
.panel { display: block }
.code .rest { display: inline !important }
.code .more, .code > lectern-copy, .content .anchor { display: none }
.content :is(.code code, .verbatim) { inline-size: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.content .table { overflow: visible }
.content :is(th, td, thead td) { min-inline-size: 0; padding-inline: .5em; white-space: normal; overflow-wrap: anywhere }
.content :is(.math, .table) .formula { max-inline-size: 100% }
.content :is(.hint, .card, figure, tr, .tab) { break-inside: avoid }
.content :is(h2, h3, h4, h5, h6) { break-after: avoid }
.content a[href^="http"]:not([class])::after { content: " (" attr(href) ")"; color: var(--muted); font-size: .85em }
details:is(.expandable, .prompt)::details-content { content-visibility: visible; block-size: auto }
}
}
`
