/** The look of what integrations draw, in the layer of content. */

export const css = `
@layer content {
.ck { display: block }
.ck[aria-busy] { opacity: .6 }
.ck > form, .ck-column { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75em }
.ck > form > *, .ck-column > * { margin: 0; min-inline-size: 0 }
.ck-text { display: block }
.ck-row { display: flex; flex-wrap: wrap; align-items: center; gap: .6em }
.ck-row > * { margin: 0 }
.ck-grow { flex: 1; min-inline-size: 0 }
.ck-center { align-items: center; justify-content: center }
.ck-end { align-items: end; justify-content: end }
.ck-card { display: flex; gap: .8em; padding: .9em 1.1em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.ck-card > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: .45em; flex: 1; min-inline-size: 0 }
.ck .ck-card > :is(img, svg.icon) { inline-size: 1.5em; block-size: 1.5em; object-fit: contain; flex: none }
.ck small { color: var(--muted); font-size: .875em }
.ck-press { font: inherit; color: var(--primary); text-align: start; cursor: pointer }
.ck .button { inline-size: max-content; max-inline-size: 100%; display: inline-flex; gap: .5em; align-items: center; cursor: pointer }
.ck .button:disabled { opacity: .55; cursor: default }
.ck .ck-plain { color: var(--ink); background: var(--raised); border: 1px solid var(--edge, var(--line)) }
.ck-field { display: grid; gap: .3em }
.ck-field > span { font-weight: 550; font-size: .9375em }
.ck :is(input:not([type=hidden], [type=checkbox], [type=radio]), textarea, select) { inline-size: 100%; padding: .45em .7em; border: 1px solid var(--edge, var(--line)); border-radius: min(var(--radius), 8px); background: var(--ground); color: var(--ink); font: inherit }
.ck :is([type=checkbox], [type=radio]) { inline-size: 1.1em; block-size: 1.1em; accent-color: var(--primary-fill, var(--primary)) }
.ck :is(input, textarea, select, button):focus-visible { outline: 2px solid var(--primary); outline-offset: 1px }
.ck-steps { display: grid; gap: .8em; padding-inline-start: 1.4em }
.ck-steps > li:not([aria-current]) { color: var(--muted) }
.ck-image { max-inline-size: 100%; block-size: auto; border-radius: var(--radius) }
.ck iframe { display: block; inline-size: 100%; aspect-ratio: 16 / 9; border: 0; border-radius: var(--radius); color-scheme: normal }
}
`
