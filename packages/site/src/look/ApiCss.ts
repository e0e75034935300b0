/** The look of the API reference, in the layer `content`. */

export const css = `
@layer content {
.api { container-type: inline-size; display: flow-root }
/* On a page of many operations those far from sight are not laid out, but where a link leads to one of them. They stand for the height that nine of ten have on a phone. */
:root:not(:has(:target)) .api:nth-of-type(n+9) { content-visibility: auto; contain-intrinsic-block-size: auto 100rem; overflow-clip-margin: .5rem }
.api > * + * { margin-block-start: 1.15em }
.api-head { display: flex; flex-wrap: wrap; align-items: center; gap: .6em; padding: .6em .8em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel) }
.content .api-head > code { flex: 1; min-inline-size: 10em; padding: 0; border: 0; background: none; overflow-wrap: anywhere }
.api-head b { color: var(--primary); font-weight: 600 }
lectern-try:not(:defined) { visibility: hidden }
lectern-try button { padding: .2em .8em; border: 1px solid var(--line); border-radius: min(var(--radius), 6px); background: var(--ground); color: var(--primary); font: inherit; font-weight: 600; font-size: .85em; cursor: pointer }
.api-method, .api-status { padding: .15em .55em; border-radius: min(var(--radius), 6px); background: color-mix(in oklab, var(--of, var(--muted)) 14%, transparent); color: color-mix(in oklab, var(--of, var(--muted)) 62%, var(--ink)); font: 650 .78em/1.5 var(--mono, ui-monospace, monospace) }
.api-method.get, .api-status.of-2 { --of: var(--success) }
.api-method.post, .api-status.of-3 { --of: var(--info) }
.api-method:is(.put, .patch), .api-status.of-4 { --of: var(--warning) }
.api-method.delete, .api-status.of-5 { --of: var(--danger) }
.content .api-section > :is(h2, h3, summary) { margin: 0 0 .3em; padding-block-end: .45em; border-block-end: 1px solid var(--line); font-size: 1rem; font-weight: 650 }
.api-section > summary { cursor: pointer }
.content .api-fields { margin: 0; padding: 0; list-style: none }
.api-fields > li { margin: 0; padding-block: .7em }
.api-fields > li + li { border-block-start: 1px solid var(--line) }
.api-fields > li > * + *, .api-below > div > * + *, .api-option > div > * + *, .api-response > div > * + * { margin-block-start: .4em }
.api-fields .api-fields { padding-inline-start: .9em; border-inline-start: 2px solid var(--line) }
.api-name { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25em .6em }
.content .api-name > code { padding: 0; border: 0; background: none; font-weight: 650 }
.deprecated > .api-name > code { text-decoration: line-through }
.api-type, .api-fact, .api-note { color: var(--muted); font-size: .86em }
.api-type { overflow-wrap: anywhere; font-family: var(--mono, ui-monospace, monospace) }
.api-required { color: var(--danger); font-size: .8em }
.api-sign { padding: 0 .5em; border: 1px solid currentColor; border-radius: 99px; color: color-mix(in oklab, var(--warning) 75%, var(--ink)); font-size: .75em }
.content :is(.api-note, .api-fact, .api-media) { margin-block: .3em }
.api-text { font-size: .95em }
.api-text > * + * { margin-block-start: .6em }
.api-below > summary, .api-option > summary, .api-response > summary { cursor: pointer; padding-block: .3em; font-size: .9em }
.api :where(summary)::before { content: ""; display: inline-block; inline-size: .4em; block-size: .4em; margin-inline: .1em .6em; border: solid currentColor; border-width: 0 1.5px 1.5px 0; rotate: -45deg; vertical-align: .15em }
.api :where([open]) > summary::before { rotate: 45deg }
.api-below > div > .api-options:only-child > .api-note { display: none }
.api :is(.api-samples, .api-example) pre { max-block-size: 26rem; overflow: auto }
.content .api-option { margin: .3em 0; padding: .2em .8em; border: 1px solid var(--line); border-radius: min(var(--radius), 8px) }
.api-response + .api-response { border-block-start: 1px solid var(--line) }
.content .api-response { margin: 0 }
.api-response > summary, p.api-response { padding-block: .55em; font-size: .9em }
.api-response > div { padding-block-end: .8em }

/* Where there is room for it, calls stand beside what is said of them. */
@container main (inline-size > 56rem) {
.api:has(> .api-samples) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); column-gap: 2.5rem }
.api:has(> .api-samples) > * { grid-column: 1 }
.api > .api-head { grid-column: 1 / -1 }
.api > .api-samples { grid-column: 2; grid-row: 2 / span 20; position: sticky; inset-block-start: calc(var(--top) + 1rem); align-self: start }
}
}
`
