/** The frame of a page: the tree beside it or as a drawer, its head, its outline, its end, the footer. */

export const layoutCss = `
.frame{flex:1;inline-size:100%;max-inline-size:92rem;margin-inline:auto;padding-inline:clamp(1rem,2.5vi,2rem)}
main{min-inline-size:0;inline-size:100%;max-inline-size:47rem;margin-inline:auto;padding-block:2rem 4rem;container:main/inline-size}
main.wide{max-inline-size:66rem}
.alone{min-block-size:85vb;align-content:center}
main>h1,.page-head h1{font-size:clamp(1.75rem,1.5rem + 1.2vi,2.25rem);font-weight:720;letter-spacing:-.022em;line-height:1.2;margin:0}
.page-head{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.5rem 1.5rem;margin-block:.25rem .5rem}
.page-head h1{flex:1 1 16rem;min-inline-size:0}
.page-head h1 svg{inline-size:.9em;block-size:.9em;vertical-align:-.08em;color:var(--primary)}
.description{margin-block:.5rem 0;color:var(--muted);font-size:1.125rem;line-height:1.6;text-wrap:pretty}
.content{margin-block-start:1.75rem}
.cover{margin-block-end:1.5rem;border-radius:var(--round);overflow:hidden;aspect-ratio:3.4}
.cover img{inline-size:100%;block-size:100%;object-fit:cover}
.cover.full{border-radius:0;aspect-ratio:auto;block-size:clamp(9rem,22vi,18rem);margin:0}
.breadcrumbs{font-size:.875rem;color:var(--muted);margin-block-end:.35rem;overflow-wrap:anywhere}
.breadcrumbs ol{display:flex;flex-wrap:wrap}
.breadcrumbs li+li::before{content:"/";margin-inline:.5em;color:var(--edge)}
.breadcrumbs a{color:inherit;text-decoration:none}
.breadcrumbs a:hover{color:var(--ink)}
.breadcrumbs li:last-child{color:var(--primary);font-weight:550}
.actions{position:relative;display:inline-flex;margin-block-start:.3rem;border:1px solid var(--line);border-radius:var(--pill);background:var(--raised);font-size:.875rem;font-weight:500;box-shadow:var(--shadow)}
.action{display:inline-flex;align-items:center;gap:.45em;padding:.3rem .7rem;min-block-size:2rem;border-radius:inherit}
.action:hover{color:var(--primary)}
.actions .more{padding-inline:.5rem}
.actions lectern-copy+.more{border-inline-start:1px solid var(--line);border-start-start-radius:0;border-end-start-radius:0}
:is(.actions,.popup) lectern-copy:not(:defined),lectern-theme:not(:defined){visibility:hidden}
@media (scripting:none){:is(.actions,.popup) lectern-copy,lectern-theme{display:none}}
.actions .popup{inset-inline:auto 0;font-weight:400}
@supports (position-area:block-end){.actions .popup{inset:auto;position-area:block-end span-inline-start}}
lectern-copy[data-copied]{color:var(--success)}
.pagination{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-block-start:3.5rem}
.pagination a{display:flex;align-items:center;gap:.8rem;min-inline-size:0;padding:.85rem 1rem;border:1px solid var(--line);border-radius:var(--round);background:var(--raised);color:inherit;text-decoration:none;box-shadow:var(--shadow);transition:border-color .12s}
.pagination a:hover{border-color:var(--primary)}
.pagination a span{display:grid;min-inline-size:0}
.pagination svg{color:var(--muted)}
[dir=rtl] :is(.pagination svg,.branch>details>summary svg){scale:-1 1}
.pagination small{color:var(--muted)}
.pagination strong{font-weight:600;overflow-wrap:anywhere}
.pagination .next{grid-column:2;justify-content:end;text-align:end}
@container main (width<30rem){.pagination{grid-template-columns:1fr}.pagination .next{grid-column:1}}
.page-end{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.5rem 2rem;margin-block-start:2rem;font-size:.875rem;color:var(--muted)}
.page-end p{margin:0}
.edit{display:inline-flex;align-items:center;gap:.4em;color:inherit}
.sidebar{color:var(--ink)}
.sidebar nav{font-size:.9375rem;line-height:1.45;overflow-wrap:anywhere}
.sidebar li{position:relative}
.sidebar nav a,.sidebar .group>span{display:flex;align-items:flex-start;gap:.55em;padding:.36rem .65rem;border-radius:var(--radius-small);color:var(--muted);text-decoration:none}
.sidebar nav a:hover{color:var(--ink);background:color-mix(in oklab,var(--ink) 5%,transparent)}
.sidebar nav a[aria-current]{color:var(--primary);background:var(--primary-soft);font-weight:550}
.sidebar .branch>a{padding-inline-end:2.2rem}
.sidebar .branch>details>summary{position:absolute;inset-block-start:.2rem;inset-inline-end:.25rem;display:grid;place-items:center;inline-size:1.75rem;block-size:1.75rem;border-radius:var(--radius-small);color:var(--muted)}
.sidebar .branch>details>summary:hover{background:color-mix(in oklab,var(--ink) 7%,transparent)}
.sidebar .branch summary svg{inline-size:.85rem;transition:rotate .12s}
.sidebar .branch>details[open]>summary svg{rotate:90deg}
.sidebar .branch>details>ul{margin-inline-start:.95rem;padding-inline-start:.55rem;border-inline-start:1px solid var(--line)}
.sidebar .group>span{margin-block-start:1.35rem;color:var(--ink);font-weight:640;font-size:.875rem;padding-block-end:.3rem}
.sidebar nav>ul>.group:first-child>span{margin-block-start:0}
.sign{flex:none;display:inline-grid;place-items:center;min-inline-size:1.15em}
.sign svg{inline-size:1em;block-size:1em;margin-block-start:.22em}
.list-pill .sidebar nav a{border-radius:99px;padding-inline:.9rem}
.list-pill .sidebar nav a[aria-current]{background:var(--primary-fill);color:var(--on-primary)}
.list-line .sidebar nav ul ul,.list-line .sidebar nav>ul:not(:has(>.group)){border-inline-start:1px solid var(--line);padding-inline-start:0;margin-inline-start:.65rem}
.list-line .sidebar nav a{border-radius:0;background:none;border-inline-start:2px solid transparent;margin-inline-start:-1.5px}
.list-line .sidebar nav a[aria-current]{border-inline-start-color:var(--primary)}
.drawer-head{position:sticky;inset-block-start:-1rem;z-index:1;background:var(--ground);padding-block:1rem .75rem;margin:-1rem 0 .25rem;display:flex;align-items:center;justify-content:space-between;gap:1rem}
.drawer-links{list-style:none;border-block-start:1px solid var(--line);margin:1rem 0 0;padding:1rem 0 0}
.drawer-links a{display:block;padding:.4rem .65rem;color:var(--ink);text-decoration:none}
.outline{display:none}
.outline ul{border-inline-start:1px solid var(--line)}
.outline p{margin-block:0 .6rem;font-weight:640;font-size:.8125rem;color:var(--ink)}
.outline a,.folded-outline a{display:block;padding:.22rem .9rem;margin-inline-start:-1px;border-inline-start:2px solid transparent;color:var(--muted);font-size:.875rem;line-height:1.45;text-decoration:none}
.outline a:hover{color:var(--ink)}
.outline a[aria-current]{color:var(--primary);border-inline-start-color:var(--primary);font-weight:550}
@media (forced-colors:active){.outline a:not([aria-current]),.list-line .sidebar nav a:not([aria-current]){border-color:Canvas}}
.level-2 a{padding-inline-start:1.7rem}
.folded-outline{margin-block:1.25rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--panel)}
.folded-outline summary{display:flex;justify-content:space-between;align-items:center;padding:.55rem .9rem;font-size:.9375rem;font-weight:550}
.folded-outline[open] summary svg{rotate:180deg}
.folded-outline ul{list-style:none;margin:0;padding:0 0 .6rem}
.folded-outline a{border:0;padding-block:.35rem}
.site-footer{border-block-start:1px solid var(--line);color:var(--muted);font-size:.9375rem}
.site-footer>div{max-inline-size:92rem;margin-inline:auto;padding:2rem clamp(1rem,2.5vi,2rem)}
.footer-groups{display:flex;flex-wrap:wrap;gap:2rem clamp(2rem,6vi,5rem);padding-block:.5rem 2rem}
.footer-groups section{min-inline-size:8rem}
.footer-groups h2{margin:0 0 .6rem;font-size:.875rem;color:var(--ink)}
.footer-groups ul{list-style:none;margin:0;padding:0;display:grid;gap:.4rem}
.site-footer a{color:inherit;text-decoration:none}
.site-footer a:hover{color:var(--ink);text-decoration:underline}
.footer-logo{margin-inline-end:auto}
.footer-logo img{max-block-size:3rem;max-inline-size:12rem}
.footer-small{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.5rem;font-size:.875rem}
.footer-small .socials{margin-inline-start:auto}
@media (width>=64rem){
.frame{display:grid;grid-template-columns:minmax(0,1fr);gap:clamp(1.5rem,3vi,3.5rem);reading-flow:grid-rows}
.frame>*{grid-row:1}
.with-tree{grid-template-columns:17.5rem minmax(0,1fr)}
.with-tree>main{grid-column:2}
.with-tree>.sidebar{grid-column:1}
.sidebar[popover]{display:flex;flex-direction:column;position:sticky;inset:auto;inset-block-start:var(--top);block-size:calc(100dvb - var(--top));inline-size:auto;max-inline-size:none;max-block-size:none;margin:0 0 0 -.65rem;padding:0;border:0;background:none;overflow:hidden}
[dir=rtl] .sidebar[popover]{margin:0 -.65rem 0 0}
.sidebar nav{flex:1;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:transparent transparent;padding:1.75rem .25rem 2rem 0}
.sidebar nav:hover{scrollbar-color:var(--edge) transparent}
.sidebar-filled .sidebar[popover]{background:var(--panel);border:1px solid var(--line);border-radius:var(--round);margin:1.25rem 0 1.25rem;inset-block-start:calc(var(--top) + 1.25rem);block-size:calc(100dvb - var(--top) - 2.5rem);padding-inline:.5rem}
.sidebar-filled .sidebar nav{padding-block:1rem}
.drawer-head,.drawer-links{display:none}
}
@media (width<64rem){
.sidebar[popover]:popover-open{display:block;position:fixed;inset:0 auto 0 0;inset-inline:0 auto;margin:0;inline-size:min(21rem,86vi);block-size:auto;max-block-size:none;padding:1rem 1rem 2rem;border:0;border-inline-end:1px solid var(--line);background:var(--ground);box-shadow:var(--lifted);overflow-y:auto;overscroll-behavior:contain}
.sidebar::backdrop{background:oklch(0 0 0/.4);backdrop-filter:blur(2px)}
}
@media (width>=80rem){
.with-outline{grid-template-columns:minmax(0,1fr) 14.5rem}
.with-tree.with-outline{grid-template-columns:17.5rem minmax(0,1fr) 14.5rem}
.outline{display:block;position:sticky;inset-block-start:var(--top);align-self:start;max-block-size:calc(100dvb - var(--top));overflow-y:auto;scrollbar-width:thin;padding-block:2.25rem 2rem}
.folded-outline{display:none}
}
@container main (width<30rem){
.page-head h1{flex-basis:min-content}
.actions>lectern-copy span{position:absolute;inline-size:1px;overflow:hidden;clip-path:inset(50%)}
}
@media (width>=80rem){
main:has(.api-samples){max-inline-size:none}
.with-outline:has(.api-samples){grid-template-columns:minmax(0,1fr)}
.with-tree.with-outline:has(.api-samples){grid-template-columns:17.5rem minmax(0,1fr)}
.frame:has(.api-samples) .outline{display:none}
main:has(.api-samples) .folded-outline{display:block}
}
@media print{
.site-header,.sidebar[popover],.outline,.folded-outline,.pagination,.feedback,.actions,.announcement,.site-footer,.page-end .edit{display:none}
.frame{display:block}
main{max-inline-size:none}
}
`
