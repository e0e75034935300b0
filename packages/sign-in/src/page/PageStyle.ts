/** Style sheet of the pages, with the colors of sites. Pages follow the color scheme and the direction of the reader. */
import { defaults } from "@lectern/site/styling/CustomizationStyle"

export const style = `:root{color-scheme:light dark;${defaults};--font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
*,::before,::after{box-sizing:border-box}
body{margin:0;min-block-size:100dvb;display:flex;flex-direction:column;font:1rem/1.6 var(--font);color:var(--ink);background:var(--panel);overflow-wrap:anywhere}
.skip:not(:focus){position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;inset-block-start:.5rem;inset-inline-start:.5rem;padding:.5rem 1rem;background:var(--raised);border:1px solid var(--edge);border-radius:var(--radius)}
header{background:var(--ground);border-block-end:1px solid var(--line)}
header>div{max-inline-size:60rem;margin-inline:auto;padding:.75rem 1rem;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1.5rem}
header .brand{font-size:1.0625rem;font-weight:680}
header a{color:inherit;text-decoration:none}
header nav{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.9375rem}
header nav a:hover,header nav a[aria-current]{color:var(--primary)}
main{flex:1;inline-size:100%;max-inline-size:27rem;margin-inline:auto;padding:clamp(1.5rem,8vb,5rem) 1rem 4rem}
main.wide{max-inline-size:48rem;padding-block-start:2.5rem}
.card{background:var(--ground);border:1px solid var(--line);border-radius:calc(var(--radius)*1.25);box-shadow:0 1px 2px oklch(0 0 0/.05),0 4px 12px -4px oklch(0 0 0/.08);padding:clamp(1.25rem,5vi,2rem)}
.card+.card{margin-block-start:1.25rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;font-weight:700;letter-spacing:-.015em;text-wrap:balance}
h2{margin:0 0 .75rem;font-size:1.125rem;line-height:1.3;font-weight:650}
:lang(ar,ja,zh) :is(h1,h2){letter-spacing:0}
p{margin:0 0 1rem}
p:last-child{margin-block-end:0}
a{color:var(--primary);text-underline-offset:.2em;text-decoration-thickness:1px}
form{display:grid;gap:1rem;margin:0}
form+form,form+p{margin-block-start:1rem}
label{display:grid;gap:.3rem;font-weight:550;font-size:.9375rem}
input,select{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;font:inherit;font-weight:400;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:var(--radius)}
small,.hint{color:var(--muted);font-size:.875rem;font-weight:400}
button,.button{display:inline-flex;align-items:center;justify-content:center;text-align:center;min-block-size:2.75rem;padding:.5rem 1.1rem;font:inherit;font-weight:600;text-decoration:none;cursor:pointer;border:1px solid transparent;border-radius:var(--radius);background:var(--primary-fill);color:var(--on-primary)}
button:hover,.button:hover{filter:brightness(1.08)}
.secondary{background:var(--raised);color:var(--ink);border-color:var(--edge)}
.small{min-block-size:2.25rem;padding:.3rem .8rem;font-size:.9375rem}
.danger{background:var(--raised);color:var(--danger);border-color:var(--edge)}
:focus-visible{outline:2px solid var(--primary);outline-offset:2px}
.or{display:flex;align-items:center;gap:.75rem;margin-block:1.25rem;color:var(--muted);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;block-size:1px;background:var(--line)}
.stack{display:grid;gap:.75rem}
.notice{padding:.7rem .9rem;margin-block-end:1rem;border:1px solid var(--line);border-inline-start:3px solid var(--primary);border-radius:var(--radius);background:var(--raised)}
.notice.bad{border-inline-start-color:var(--danger)}
.rows{list-style:none;margin:0;padding:0}
.rows>li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1rem;padding-block:.85rem}
.rows>li+li{border-block-start:1px solid var(--line)}
.rows>li:first-child{padding-block-start:0}
.rows>li:last-child{padding-block-end:0}
.rows strong{font-weight:600}
.rows div{min-inline-size:0;flex:1 1 14rem}
.rows p{margin:0;color:var(--muted);font-size:.9375rem}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem}
.buttons form+form{margin:0}
.end{margin-block-start:1.25rem}
.code{display:block;padding:.75rem;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9375rem;background:var(--raised);border:1px solid var(--line);border-radius:var(--radius);user-select:all;direction:ltr;text-align:start}
.qr{inline-size:min(100%,15rem);margin-block-end:1rem;border:1px solid var(--line);border-radius:var(--radius);overflow:hidden}
.qr svg{display:block;inline-size:100%;block-size:auto}
.codes{columns:2 11rem;margin:0;padding:.75rem 1rem;list-style:none;background:var(--raised);border:1px solid var(--line);border-radius:var(--radius);direction:ltr}
.codes code{font-family:ui-monospace,Menlo,Consolas,monospace;line-height:2}
.inline{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem}
.inline input{flex:1 1 9rem;inline-size:auto;min-block-size:2.25rem}
form[hidden]{display:none}
.badge{margin-inline-start:.5rem;padding:.05rem .5rem;font-size:.8125rem;font-weight:550;color:var(--primary);background:var(--primary-soft);border-radius:99px}
@media (forced-colors:active){button,.button{border-color:buttontext}}`
