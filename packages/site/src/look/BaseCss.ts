/** Ground that everything of a site stands on: colours, letters, and what all controls have in common. */
import { defaults } from "./Style.ts"

export const baseCss = `
:root{color-scheme:light dark;${defaults};
--radius-small:calc(var(--radius)*.7);--round:calc(var(--radius)*1.25);--pill:var(--radius);
--shadow:0 1px 2px oklch(0 0 0/.05),0 4px 12px -4px oklch(0 0 0/.08);
--lifted:0 4px 8px -2px oklch(0 0 0/.08),0 16px 40px -8px oklch(0 0 0/.22);
--bar-height:3.75rem;--tabs-height:0rem;--top:calc(var(--bar-height) + var(--tabs-height));
accent-color:var(--primary);scroll-padding-block-start:calc(var(--top) + 1.5rem);
-webkit-text-size-adjust:100%;text-size-adjust:100%;interpolate-size:allow-keywords}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
@media print{:root:root{color-scheme:light}.dark-only{display:none!important}}
:root.flat{--shadow:none;--lifted:0 0 0 1px var(--edge)}
:root.circular{--pill:99px}
:root:has(.sections){--tabs-height:2.75rem}
*,::before,::after{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--ground);font:1rem/1.65 var(--font);font-optical-sizing:auto;-webkit-font-smoothing:antialiased;overflow-wrap:break-word;min-block-size:100dvb;display:flex;flex-direction:column}
.theme-gradient body{background:radial-gradient(60rem 34rem at 85% -8rem,color-mix(in oklab,var(--primary-fill) 22%,transparent),transparent 75%),radial-gradient(46rem 30rem at 0 -10rem,color-mix(in oklab,var(--info) 14%,transparent),transparent 75%),var(--ground);background-repeat:no-repeat}
h1,h2,h3,h4,h5,h6{line-height:1.25;font-weight:650;letter-spacing:-.012em;text-wrap:balance}
.theme-bold :is(h1,h2,h3){font-weight:780;letter-spacing:-.02em}
:lang(ar,fa,he,ur,ja,zh,ko) :is(h1,h2,h3,h4){letter-spacing:0}
a{color:var(--primary);text-decoration:underline;text-decoration-thickness:1px;text-underline-offset:.2em;text-decoration-color:color-mix(in oklab,currentColor 35%,transparent)}
a:hover{text-decoration-color:currentColor}
img,svg,video{max-inline-size:100%;block-size:auto}
svg.ui{inline-size:1.15em;block-size:1.15em;flex:none;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.2em}
svg.icon{fill:currentColor}
code,kbd,pre,samp{font-family:var(--mono);font-size:.9em}
small{font-size:.8125rem}
mark{color:inherit;background:color-mix(in oklab,var(--primary) 22%,transparent);border-radius:3px;padding-inline:.08em}
button,input,textarea,select{font:inherit;color:inherit}
button{cursor:pointer;background:none;border:0;padding:0}
ul,ol{padding-inline-start:1.4em}
nav ul,nav ol,.popup,.socials,.found,.found ul{list-style:none;margin:0;padding:0}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
:focus-visible{outline:2px solid var(--primary);outline-offset:2px;border-radius:3px}
[tabindex="-1"]:focus{outline:none}
::selection{background:color-mix(in oklab,var(--primary-fill) 30%,transparent)}
[hidden]{display:none!important}
.for-readers,.skip:not(:focus){position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;inset-block-start:.5rem;inset-inline-start:.5rem;z-index:9;padding:.5rem 1rem;background:var(--raised);border:1px solid var(--edge);border-radius:var(--radius)}
@media screen{:root[data-theme=dark] .light-only,:root[data-theme=light] .dark-only{display:none!important}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme]) .light-only{display:none!important}}
@media screen and (prefers-color-scheme:light){:root:not([data-theme]) .dark-only{display:none!important}}
.button{display:inline-flex;align-items:center;justify-content:center;gap:.5em;padding:.4rem .9rem;border-radius:var(--pill);border:1px solid transparent;background:var(--primary-fill);color:var(--on-primary);font-weight:550;font-size:.9375rem;text-decoration:none;transition:filter .12s}
.button:hover{filter:brightness(1.08)}
.button.secondary{background:var(--raised);color:var(--ink);border-color:var(--edge)}
.icon-button{display:inline-grid;place-items:center;inline-size:2.25rem;block-size:2.25rem;border-radius:var(--radius);color:inherit;flex:none}
.icon-button:hover{background:color-mix(in oklab,currentColor 9%,transparent)}
@media (prefers-reduced-motion:no-preference){
:root{scroll-behavior:smooth}
}
@media (forced-colors:active){.button{border-color:ButtonText}}
`
