/** Search, as a dialog and as a page; feedback; pictures that are shown large; copy buttons of code; links as the settings want them. */

export const partsCss = `
.consent{position:fixed;inset:auto 1rem 1rem auto;z-index:30;inline-size:min(26rem,100vi - 2rem);padding:1rem 1.25rem;border:1px solid var(--line);border-radius:var(--round);background:var(--raised);box-shadow:var(--lifted);font-size:.9375rem}
.consent form,.consent-page form{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.consent p,.consent-page p{grid-column:1/-1;margin:0}
.consent-page form{max-inline-size:30rem;margin-block-start:1rem}
@media print{.consent{display:none}}
.search{display:flex;margin-inline:auto}
.search>form{display:flex;align-items:center;gap:.55rem;inline-size:clamp(10rem,28vi,24rem);block-size:2.25rem;padding-inline:.75rem .4rem;border:1px solid var(--bar-line);border-radius:var(--pill);background:var(--bar-field);color:var(--bar-field-ink);cursor:text;font-size:.9375rem}
.search>form:hover{border-color:color-mix(in oklab,currentColor 35%,transparent)}
.search>form:focus-within{outline:2px solid currentColor;outline-offset:1px}
.search input{flex:1;min-inline-size:0;border:0;background:none;outline:0;padding:0}
.search input::placeholder{color:currentColor;opacity:1}
.search input::-webkit-search-cancel-button{display:none}
.search kbd{font:500 .75rem/1 var(--font);border:1px solid var(--bar-line);border-radius:calc(var(--radius)*.6);padding:.3em .5em;white-space:nowrap}
.search:not(:defined) kbd{display:none}
.search-link{display:none}
.search-subtle .search{order:3;margin-inline:.5rem 0}
.search-subtle .search>form{inline-size:11rem;background:none}
.search-subtle .links{order:2}.search-subtle lectern-theme{order:4}
@media (width<64rem){.search,.search-subtle .search{margin-inline:auto 0;order:0}.search>form,.search-subtle .search>form{display:none}.search-link{display:inline-grid}.links{margin-inline-start:0}}
.search-dialog{inline-size:min(42rem,100vi - 2rem);max-inline-size:none;max-block-size:min(38rem,100dvb - 6rem);margin:min(12dvb,7rem) auto auto;padding:0;border:1px solid var(--line);border-radius:var(--round);background:var(--raised);color:var(--ink);box-shadow:var(--lifted);overflow:hidden}
.search-dialog[open]{display:flex;flex-direction:column}
.search-dialog::backdrop{background:oklch(0 0 0/.4);backdrop-filter:blur(3px)}
.search-field{display:flex;align-items:center;gap:.75rem}
.search-field input{min-inline-size:0}
.search-dialog .search-field{padding:.6rem .6rem .6rem 1.1rem;font-size:1.0625rem}
[dir=rtl] .search-dialog .search-field{padding:.6rem 1.1rem .6rem .6rem}
.search-dialog .search-field>svg,.search-page .search-field>svg{color:var(--muted)}
.search-dialog input::placeholder{color:var(--muted)}
.search-dialog form:has(.scopes)>.scopes{padding:0 1rem .7rem}
.scopes{display:flex;gap:.4rem;font-size:.875rem}
.scopes label{padding:.15rem .7rem;border:1px solid var(--line);border-radius:99px;color:var(--muted);cursor:pointer}
.scopes label:has(:checked){background:var(--primary-soft);color:var(--primary);border-color:transparent;font-weight:550}
.scopes label:has(:focus-visible){outline:2px solid var(--primary)}
.scopes input{position:absolute;opacity:0;pointer-events:none}
.search-told{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);margin:0}
.search-results{overflow-y:auto;overscroll-behavior:contain;padding:0 .6rem}
.search-results:not(:empty){border-block-start:1px solid var(--line);padding-block:.6rem}
.search-dialog .found-count{margin:.4rem .7rem}
.search-heading,.found-count{margin:.25rem .7rem .5rem;font-size:.875rem;color:var(--muted)}
.found a{display:grid;padding:.5rem .7rem;border-radius:var(--radius);color:inherit;text-decoration:none}
.found a:is(:hover,:focus-visible){background:var(--primary-soft);outline-offset:-2px}
.found small{color:var(--muted)}
.found strong{font-weight:600}
.found a>span{color:var(--muted);font-size:.875rem;line-height:1.5;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.found a:is(:hover,:focus-visible) :is(small,span){color:var(--ink)}
.found ul{margin-inline-start:.7rem;border-inline-start:1px solid var(--line);padding-inline-start:.35rem}
.found ul strong{font-weight:500;font-size:.9375rem}
.search-page{margin-block:1.25rem 1.5rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
.search-page .search-field{border:1px solid var(--edge);border-radius:var(--pill);padding:.35rem .35rem .35rem 1rem;background:var(--raised)}
[dir=rtl] .search-page .search-field{padding:.35rem 1rem .35rem .35rem}
.search-page .search-field:focus-within{outline:2px solid var(--primary)}
.search-page input[type=search]{flex:1;min-inline-size:0;border:0;background:none;outline:0}
.search-page input::placeholder{color:var(--muted)}
main .found>li+li{margin-block-start:.5rem}
main .found-count{margin-inline:0}
main .found{margin-inline:-.7rem}
.feedback{display:block;margin-block-start:2.5rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:var(--round);background:var(--panel)}
.feedback fieldset{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;border:0;margin:0;padding:0}
.feedback legend{float:inline-start;padding:0;margin-inline-end:auto;font-weight:550;font-size:.9375rem}
.feedback label{position:relative;display:inline-flex;align-items:center;gap:.4em;padding:.25rem .7rem;border:1px solid var(--line);border-radius:99px;background:var(--raised);font-size:.875rem;cursor:pointer}
.feedback label:hover{border-color:var(--primary)}
.feedback label:has(:checked){color:var(--primary);border-color:var(--primary);background:var(--primary-soft)}
.feedback label:has(:focus-visible){outline:2px solid var(--primary);outline-offset:2px}
.feedback label input{position:absolute;opacity:0;inset:0;pointer-events:none}
.feedback-more{display:none;gap:.75rem;margin-block-start:.9rem;justify-items:end}
.feedback form:has(:checked) .feedback-more{display:grid}
.feedback textarea{inline-size:100%;padding:.6rem .8rem;border:1px solid var(--edge);border-radius:var(--radius);background:var(--ground);font-size:.9375rem;resize:vertical}
.feedback textarea::placeholder{color:var(--muted)}
.feedback-thanks{display:none;margin:0;align-items:center;gap:.5em;font-weight:550;color:var(--success)}
.feedback:is([data-sent],:has(.feedback-thanks:target)) form{display:none}
.feedback:is([data-sent],:has(.feedback-thanks:target)) .feedback-thanks{display:flex}
.zoomed{max-inline-size:none;max-block-size:none;inline-size:100vi;block-size:100dvb;padding:2rem;border:0;background:none}
.zoomed::backdrop{background:color-mix(in oklab,var(--ground) 92%,transparent);backdrop-filter:blur(4px)}
.zoomed button{inline-size:100%;block-size:100%;cursor:zoom-out}
.zoomed img{inline-size:100%;block-size:100%;object-fit:contain}
.search-dialog:has(input:focus) .found>li:first-child>.found-page:first-child{background:var(--primary-soft)}
@media (forced-colors:active){:is(.sidebar nav,.popup) a[aria-current],:is(.feedback,.scopes) label:has(:checked){text-decoration:underline}}
figure.code{position:relative}
figure.code>lectern-copy{position:absolute;inset-block-start:.45rem;inset-inline-end:.45rem;opacity:0;transition:opacity .12s}
figure.code:is(:hover,:focus-within)>lectern-copy,figure.code>lectern-copy[data-copied]{opacity:1}
@media (hover:none){figure.code>lectern-copy{opacity:1}}
figure.code>lectern-copy button{padding:.15rem .6rem;border:1px solid var(--line);border-radius:var(--radius-small);background:var(--raised);color:var(--muted);font-size:.8125rem;line-height:1.5}
figure.code>lectern-copy[data-copied] button{color:var(--success)}
figure.code>lectern-copy button:hover{color:var(--ink);border-color:var(--edge)}
.links-accent main .content a:not([class]){color:inherit;text-decoration-color:var(--primary);text-decoration-thickness:2px;font-weight:500}
`
