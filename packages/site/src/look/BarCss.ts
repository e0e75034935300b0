/** The bar at the top: name, versions, search, links, sections; its menus; the announcement above it. */

export const barCss = `
.site-header{position:sticky;inset-block-start:0;z-index:5;background:var(--bar);color:var(--on-bar);border-block-end:1px solid var(--bar-line)}
:root:not(.header-bold,.header-contrast,.header-custom,.theme-bold) .site-header{background:color-mix(in oklab,var(--bar) 86%,transparent);backdrop-filter:blur(14px) saturate(1.6)}
.bar,.sections{max-inline-size:92rem;margin-inline:auto;padding-inline:clamp(1rem,2.5vi,2rem)}
.bar{display:flex;align-items:center;gap:.35rem .75rem;block-size:var(--bar-height)}
.site-header :focus-visible{outline-color:currentColor}
.brand{display:inline-flex;align-items:center;gap:.5rem;min-inline-size:0;color:inherit;font-weight:680;font-size:1.0625rem;letter-spacing:-.01em;text-decoration:none;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.brand>span:last-child{overflow:hidden;text-overflow:ellipsis}
.brand img{block-size:1.875rem;inline-size:auto;max-inline-size:14rem;object-fit:contain}
.links{display:flex;align-items:center;gap:.25rem;margin-inline-start:auto;font-size:.9375rem}
.header-link,.menu-button{display:inline-flex;align-items:center;gap:.35em;padding:.35rem .65rem;border-radius:var(--radius-small);color:var(--bar-muted);text-decoration:none;white-space:nowrap}
.header-link:hover,.menu-button:hover{color:var(--on-bar)}
.links .button{margin-inline-start:.35rem;white-space:nowrap}
.header-bold .links .button,.theme-bold .links .button{background:var(--on-bar);color:var(--bar)}
.menu-button svg{inline-size:.95em}
.menu{position:relative;display:inline-flex}
.variants{flex-shrink:.5}
.variants,.variants .menu-button{min-inline-size:0}
.variants .menu{max-inline-size:100%}
.variant{overflow:hidden;text-overflow:ellipsis}
.variants .menu-button{border:1px solid var(--bar-line);padding-block:.2rem;font-size:.875rem}
.popup{position:absolute;inset:auto;inset-block-start:calc(100% + .35rem);inset-inline-start:0;min-inline-size:12rem;max-inline-size:min(22rem,90vi);max-block-size:70dvb;overflow:auto;padding:.35rem;color:var(--ink);background:var(--raised);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--lifted);font-size:.9375rem;margin:0}
@supports (position-area:block-end){.popup{position:fixed;inset:auto;margin-block-start:.35rem;position-area:block-end span-inline-end;position-try-fallbacks:flip-inline,flip-block}}
.popup a,.popup button{display:flex;inline-size:100%;align-items:center;gap:.6rem;padding:.4rem .6rem;border-radius:var(--radius-small);color:var(--ink);text-decoration:none;text-align:start}
.popup a>svg:last-child:not(:first-child){margin-inline-start:auto}
.popup small{display:block;color:var(--muted)}
.popup svg{color:var(--muted)}
.popup :is(a,button):is(:hover,:focus-visible){background:var(--panel)}
.popup [aria-current]{color:var(--primary);font-weight:550}
.sections>ul{display:flex;gap:.25rem;overflow-x:auto;scrollbar-width:none;block-size:var(--tabs-height);align-items:stretch;margin-inline:-.65rem}
.sections>ul>li{display:flex;flex:none}
.sections>ul>li>a,.sections>ul>li>.menu>.menu-button{display:inline-flex;align-items:center;gap:.45em;padding-inline:.65rem;color:var(--bar-muted);font-size:.9375rem;font-weight:500;text-decoration:none;border-radius:0;border-block:2px solid transparent;white-space:nowrap}
.sections>ul>li>a:hover,.sections .menu-button:hover{color:var(--on-bar)}
.sections>ul>li>[aria-current],.sections>ul>.is-current>.menu>.menu-button{color:var(--on-bar);border-block-end-color:var(--primary)}
:is(.header-bold,.header-contrast,.header-custom,.theme-bold) :is(.sections>ul>li>[aria-current],.sections>ul>.is-current>.menu>.menu-button){border-block-end-color:currentColor}
@media (forced-colors:active){.sections>ul>li>a,.sections>ul>li>.menu>.menu-button{border-color:Canvas}}
.sections>ul>:is(.is-current,:has(>[aria-current])){scroll-initial-target:nearest}
.socials{display:flex;gap:.15rem}
.socials a{display:grid;place-items:center;min-inline-size:2.25rem;block-size:2.25rem;padding-inline:.4rem;color:inherit;text-decoration:none;border-radius:var(--radius)}
.socials a:hover{background:color-mix(in oklab,currentColor 9%,transparent)}
.socials svg{inline-size:1.15rem;block-size:1.15rem}
.preview{position:sticky;inset-block-end:0;z-index:6;display:flex;align-items:center;gap:.35rem .75rem;padding:.45rem clamp(1rem,2.5vi,2rem);background:var(--ink);color:var(--ground);font-size:.9375rem}
.preview svg{flex:none}
.preview p{flex:1;min-inline-size:0;margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.preview :is(strong,p>a){margin-inline-end:.6em}
.preview a{color:inherit}
.preview .back{flex:none}
.preview :focus-visible{outline-color:currentColor}
.announcement{background:var(--info-soft);text-align:center;font-size:.9375rem;padding:.45rem 1rem}
.announcement p{margin:0}
.announcement a{color:inherit;font-weight:600}
.announcement.warning{background:var(--warning-soft)}.announcement.danger{background:var(--danger-soft)}.announcement.success{background:var(--success-soft)}
@media (width<64rem){
.bar{gap:.25rem}
.drawer-button{margin-inline-start:-.5rem}
.links .header-link,.links .menu,.bar .socials{display:none}
.sections>ul{margin-inline:-.5rem}
}
@media (width>=64rem){
.drawer-button{display:none}
}
.header-none{--top:0rem}
:root.header-none .site-header{position:static;background:none;backdrop-filter:none;border:0}
.header-none .links{visibility:hidden}
@media (width<40rem){.preview{flex-wrap:wrap;padding-block:.6rem}.preview p{flex-basis:80%;white-space:normal}.preview .back{margin-inline-start:2rem}.links .button{display:none}.variants .menu-button{max-inline-size:8rem}}
`
